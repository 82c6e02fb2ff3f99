"""Logarithm, exponential, power, gamma and the quantile of the normal distribution, the same to the last bit on every machine.

The functions of `math` are those of the platform's C library and may differ in the last bit between two of them, and a
made-up workload has to be the same everywhere. These use nothing but the four operations, the square root and shifts of the
exponent, whose results IEEE 754 prescribes. They agree with `math` within some units of the last place.

For the same reason nobody here sums floats with `sum`, which rounds differently from Python 3.12 on: `math.fsum` is exact.
"""

from __future__ import annotations

import math

_LN2_HIGH = 6.93147180369123816490e-01
"""The first bits of ln 2, so few that multiples of it are exact."""
_LN2_LOW = 1.90821492927058770002e-10
_SQRT_HALF = 0.7071067811865476
_ODD = tuple(2.0 / odd for odd in range(25, 0, -2))
_INVERSE_FACTORIALS = tuple(1.0 / math.factorial(number) for number in range(15, -1, -1))

SMALLEST = 2.0**-54
"""Stands for a probability of 0 where that has no quantile."""


def log(x: float) -> float:
    """Natural logarithm of a number above 0.

    >>> log(1.0), abs(log(10.0) - math.log(10.0)) < 1e-15
    (0.0, True)
    """
    if not 0.0 < x < math.inf:
        raise ValueError(f"no logarithm of {x!r}")
    mantissa, exponent = math.frexp(x)
    if mantissa < _SQRT_HALF:
        mantissa, exponent = mantissa * 2.0, exponent - 1
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    square, series = ratio * ratio, 0.0
    for factor in _ODD:
        series = series * square + factor
    return exponent * _LN2_HIGH + (ratio * series + exponent * _LN2_LOW)


def exp(x: float) -> float:
    """e to the power of x; infinite where it is beyond a float.

    >>> exp(0.0), abs(exp(1.0) - math.e) < 1e-15, exp(1000.0), exp(-1000.0)
    (1.0, True, inf, 0.0)
    """
    if x > 709.0:
        return math.inf
    if x < -745.0:
        return 0.0
    twos = round(x * 1.4426950408889634)
    rest = x - twos * _LN2_HIGH - twos * _LN2_LOW
    series = 0.0
    for factor in _INVERSE_FACTORIALS:
        series = series * rest + factor
    return math.ldexp(series, twos)


def power(base: float, exponent: float) -> float:
    """`base` above 0 to the power of any number.

    >>> abs(power(2.0, 0.5) - math.sqrt(2.0)) < 1e-15
    True
    """
    return exp(exponent * log(base))


# Lanczos' approximation with g = 7 and nine terms, right to some 15 digits.
_LANCZOS = (
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
)


def gamma(x: float) -> float:
    """The gamma function of a number of at least 1.

    >>> abs(gamma(5.0) - 24.0) < 1e-12, abs(gamma(1.5) - math.gamma(1.5)) < 1e-14
    (True, True)
    """
    total = 0.99999999999980993
    for place, factor in enumerate(_LANCZOS):
        total += factor / (x + place)
    base = x + 6.5
    return 2.5066282746310002 * total * exp((x - 0.5) * log(base) - base)


# Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988).
_MIDDLE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457)
    + (13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867)
    + (5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)
_NEAR = (
    (7.74545014278341407640e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258)
    + (3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459)
    + (0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
)
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093)
    + (0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4)
    + (0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1.0),
)


def normal_quantile(p: float) -> float:
    """The value below which a standard normal variable stays with probability p, 0 < p < 1.

    >>> normal_quantile(0.5), round(normal_quantile(0.95), 6)
    (0.0, 1.644854)
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"a probability above 0 and below 1 is needed, found {p!r}")
    middle = p - 0.5
    if -0.425 <= middle <= 0.425:
        return middle * _rational(_MIDDLE, 0.180625 - middle * middle)
    depth = math.sqrt(-log(p if middle < 0.0 else 1.0 - p))
    value = _rational(_NEAR, depth - 1.6) if depth <= 5.0 else _rational(_FAR, depth - 5.0)
    return -value if middle < 0.0 else value


def _rational(factors: tuple[tuple[float, ...], tuple[float, ...]], x: float) -> float:
    above = below = 0.0
    for factor in factors[0]:
        above = above * x + factor
    for factor in factors[1]:
        below = below * x + factor
    return above / below
