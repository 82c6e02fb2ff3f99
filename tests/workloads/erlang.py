"""Erlang's formula: how long jobs wait for one of c equal servers, where arrivals and lengths are exponential (M/M/c).

A. K. Erlang, "Solution of some problems in the theory of probabilities of significance in automatic telephone exchanges" (1917);
Gross and Harris, "Fundamentals of Queueing Theory", section 2.3.
"""

from __future__ import annotations


def waits(servers: int, offered: float) -> float:
    """Erlang C: the probability that a job waits at all; `offered` is the rate of arrivals times the mean length."""
    if not 0 <= offered < servers:
        raise ValueError("the servers must be able to do what is offered")
    blocked = 1.0  # Erlang B of no servers; each server more by its recursion.
    for number in range(1, servers + 1):
        blocked = offered * blocked / (number + offered * blocked)
    load = offered / servers
    return blocked / (1 - load * (1 - blocked))


def mean_wait(servers: int, offered: float, mean_length: float) -> float:
    """The mean time from arrival to start, in the unit of `mean_length`, those who do not wait included."""
    return waits(servers, offered) * mean_length / (servers - offered)
