"""Generated descriptions of made-up workloads, for laws that hold for all."""

from __future__ import annotations

from hypothesis import strategies as st

from workbench.values.resources import Resource
from workbench.workloads.generators.arrivals import Bursts, Poisson, Regular, Storms
from workbench.workloads.generators.distributions import Constant, Empirical, Exponential, Lognormal, Pareto, Uniform, Weibull
from workbench.workloads.generators.profiles import Profile
from workbench.workloads.generators.sizes import Size
from workbench.workloads.generators.spec import JobClass, Synthetic
from workbench.workloads.generators.users import Users
from workbench.workloads.model import Gang, Pool, Restarts

GIB = 2**30
apart = st.integers(60_000, 7_200_000).map(float) | st.floats(60_000, 7_200_000)
profiles = st.sampled_from([Profile(), Profile.of("office", "workdays"), Profile.of([1, 2] * 12)])
counts = st.sampled_from([Constant(1.0), Constant(4.0), Empirical((1.0, 8.0), (3.0, 1.0)), Exponential(3.0), Uniform(1.0, 5.0)])
durations = st.one_of(
    st.builds(Constant, apart),
    st.builds(Exponential, apart),
    st.builds(Lognormal, apart, st.floats(0, 1.5)),
    st.builds(Weibull, apart, st.floats(0.5, 3)),
    st.builds(Pareto, apart, st.floats(1.5, 5)),
)
arrivals = st.one_of(
    st.builds(Poisson, apart, profiles),
    st.builds(Regular, apart, st.just(0.0), counts),
    st.builds(Bursts, apart, counts, st.sampled_from([0.0, 60_000.0]), profiles),
    st.builds(Storms, apart, apart, apart, apart),
)
vcores = st.sampled_from([Constant(1000.0), Constant(500.0), Uniform(500.0, 4000.0), Lognormal(1000.0, 0.5)])
sizes = st.builds(
    lambda vcore, memory, weight: Size({"vcore": vcore, "memory": Constant(float(memory * GIB))}, weight),
    vcores,
    st.integers(1, 8),
    st.sampled_from([1.0, 2.5]),
)
users = st.one_of(
    st.builds(Users, count=st.integers(1, 30), zipf=st.sampled_from([0.0, 1.0, 1.3]), groups=st.sampled_from([(), ("a", "b")])),
    st.just(Users(names=("ann", "bob: 2"), zipf=2.0)),
)
names = st.sampled_from(["train", "etl", "ci", "yes", "a b", "ä"])


@st.composite
def job_classes(draw, name: str) -> JobClass:
    """A class whose jobs are few enough for a test."""
    gang = draw(st.none() | st.builds(Gang, style=st.sampled_from(["Soft", "Hard"]), timeout_ms=st.sampled_from([0, 90_000])))
    return JobClass(
        name=name,
        arrivals=draw(arrivals),
        duration=draw(durations),
        sizes=tuple(draw(st.lists(sizes, min_size=1, max_size=3))),
        tasks=draw(counts),
        same_duration=draw(st.booleans()),
        gang=gang,
        gang_share=draw(st.sampled_from([1.0, 0.5])) if gang else 1.0,
        queue=draw(st.sampled_from(["", "root.a", "root.b"])),
        priority=draw(st.integers(-5, 5)),
        preemptible=draw(st.booleans()),
        may_preempt=draw(st.booleans()),
        node_selector=draw(st.sampled_from([{}, {"zone": "1"}])),
        tolerations=draw(st.sampled_from([(), ("gpu",)])),
        tags=draw(st.sampled_from([{}, {"team": "x"}])),
        users=draw(st.none() | users),
    )


@st.composite
def specs(draw) -> Synthetic:
    """A description of some hours with up to three classes."""
    chosen = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    load = draw(st.none() | st.sampled_from([0.5, 0.9, 1.2]))
    return Synthetic(
        classes=tuple(draw(job_classes(name)) for name in chosen),
        length_ms=draw(st.sampled_from([3_600_000, 86_400_000])),
        pools=draw(
            st.sampled_from(
                [
                    (Pool(name="n", capacity=Resource(vcore=8000, memory=32 * GIB), count=2),),
                    (
                        Pool(
                            name="m",
                            capacity=Resource(vcore=4000, memory=32 * GIB),
                            count=1,
                            minimum=0,
                            maximum=3,
                            fails_every_ms=86_400_000,
                            attributes={"zone": "1"},
                            taints=("gpu",),
                        ),
                    ),
                ]
            )
        ),
        load=load,
        users=draw(users),
        seed=draw(st.integers(0, 3)),
        warm_up_ms=draw(st.sampled_from([0, 60_000])),
        start_delay_ms=draw(st.sampled_from([0, 2000])),
        restarts=draw(st.sampled_from([Restarts(), Restarts(comes_back_after_ms=None, how="checkpoint", checkpoint_ms=60_000)])),
        name=draw(st.sampled_from(["", "a week: made up"])),
    )
