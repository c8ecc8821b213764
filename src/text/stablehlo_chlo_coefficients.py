"""Prints the Chebyshev coefficients of stablehlo_chlo_functions.c: bessel_i1e(x) = e^-|x| I1(x).

near: i1e(x) / x       on [0, 8],   t = x/4 - 1
far:  i1e(x) sqrt(x)   on [8, inf], t = 16/x - 1
The first coefficient counts half. Run: python src/text/stablehlo_chlo_coefficients.py      (needs mpmath)
"""
import mpmath as mp

mp.mp.dps = 40


def chebyshev(function, count):
    points = 2 * count
    angles = [mp.pi * (k + mp.mpf(1) / 2) / points for k in range(points)]
    values = [function(mp.cos(a)) for a in angles]
    return [2 * sum(v * mp.cos(j * a) for v, a in zip(values, angles)) / points for j in range(count)]


def i1e(x):
    return mp.besseli(1, x) * mp.exp(-x)


def near(t):
    return i1e(4 * (t + 1)) / (4 * (t + 1))


def far(t):
    x = 16 / (t + 1)
    return i1e(x) * mp.sqrt(x)


for name, function, count in (('near', near, 27), ('far', far, 24)):
    print(name, ', '.join(mp.nstr(c, 20) for c in chebyshev(function, 30)[:count]))
