# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes of dimensions: polynomials over symbols with integer coefficients."""
from math import prod


class Size:
    """A sum of products: {sorted names of symbols: coefficient}."""

    def __init__(self, terms):
        self.terms = {k: c for k, c in terms.items() if c}

    @staticmethod
    def symbol(name):
        return Size({(name,): 1})

    def at(self, values):
        return sum(c * prod(values[s] for s in k) for k, c in self.terms.items())

    def symbols(self):
        return sorted({s for k in self.terms for s in k})

    def __eq__(self, other):
        return isinstance(other, Size) and self.terms == other.terms

    def __hash__(self):
        return hash(tuple(sorted(self.terms.items())))

    def __repr__(self):
        return " + ".join("*".join([str(c)] * (c != 1 or not k) + list(k)) for k, c in sorted(self.terms.items()))


def terms_of(size):
    return size.terms if isinstance(size, Size) else {(): size}


def simple(terms):
    """A number where no symbol is left."""
    size = Size(terms)
    return size if size.symbols() else size.terms.get((), 0)


def add(a, b, factor=1):
    terms = dict(terms_of(a))
    for k, c in terms_of(b).items():
        terms[k] = terms.get(k, 0) + factor * c
    return simple(terms)


def multiply(a, b):
    terms = {}
    for k, c in terms_of(a).items():
        for l, d in terms_of(b).items():
            key = tuple(sorted(k + l))
            terms[key] = terms.get(key, 0) + c * d
    return simple(terms)


def value(size, values):
    return size.at(values) if isinstance(size, Size) else size


def factors(size):
    """The coefficient, and what it multiplies: symbols one by one, or a sum."""
    if not isinstance(size, Size):
        return size, []
    if len(size.terms) == 1:
        (names, coefficient), = size.terms.items()
        return coefficient, [Size.symbol(n) for n in names]
    return 1, [size]
