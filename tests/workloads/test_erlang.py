"""Erlang's formula against figures that are published, and against what follows from it."""

from __future__ import annotations

import pytest
from workloads.erlang import mean_wait, waits


@pytest.mark.parametrize(
    ("servers", "offered", "probability"),
    [
        (1, 0.5, 0.5),  # M/M/1: the load
        (2, 1.0, 1 / 3),  # M/M/2: 2 load^2 / (1 + load)
        (2, 1.8, 2 * 0.81 / 1.9),
        (5, 4.0, 0.5541),  # these two from printed tables of Erlang C
        (10, 8.0, 0.4092),
    ],
)
def test_the_probability_of_waiting_is_the_published_one(servers, offered, probability):
    assert waits(servers, offered) == pytest.approx(probability, abs=6e-5)


def test_the_probability_is_that_of_the_sum_in_textbooks():
    from math import factorial

    servers, offered = 10, 9.0
    last = offered**servers / factorial(servers) / (1 - offered / servers)
    assert waits(servers, offered) == pytest.approx(last / (sum(offered**k / factorial(k) for k in range(servers)) + last))


def test_the_mean_wait_of_one_server_is_that_of_a_single_queue():
    assert mean_wait(1, 0.9, 100.0) == pytest.approx(0.9 * 100 / (1 - 0.9))


def test_more_than_can_be_done_is_refused():
    with pytest.raises(ValueError, match="what is offered"):
        waits(10, 10.0)
