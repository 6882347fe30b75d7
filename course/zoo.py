"""Small graphs of trouble: the shapes that wrong engines get wrong.

Each builder takes the module `tinytorch` and `leaf`, which makes a tensor to be differentiated. It
returns the root of the graph and a dict from names to tensors.
"""


def single(tt, leaf):
    """No operation at all: the root is a leaf."""
    x = leaf(3.0)
    return x, {"x": x}


def x_plus_x(tt, leaf):
    x = leaf(3.0)
    y = x + x
    return y, {"x": x, "y": y}


def x_times_x(tt, leaf):
    x = leaf(3.0)
    y = x * x
    return y, {"x": x, "y": y}


def tree(tt, leaf):
    """z = (x + y) * w: every tensor is used once."""
    x, y, w = leaf(2.0), leaf(3.0), leaf(4.0)
    z = (x + y) * w
    return z, {"x": x, "y": y, "w": w, "z": z}


def twice(tt, leaf):
    """z = (x + y) * y: a leaf used in two places, at two distances from the root."""
    x, y = leaf(2.0), leaf(3.0)
    z = (x + y) * y
    return z, {"x": x, "y": y, "z": z}


def two_sums(tt, leaf):
    """e = (a + b) * (b + 1): b receives 3 + 2."""
    a, b = leaf(2.0), leaf(1.0)
    c, d = a + b, b + 1
    e = c * d
    return e, {"a": a, "b": b, "c": c, "d": d, "e": e}


def diamond(tt, leaf):
    """d = b * c, both made from a."""
    a = leaf(2.0)
    b, c = a * 3, a + 1
    d = b * c
    return d, {"a": a, "b": b, "c": c, "d": d}


def unequal_paths(tt, leaf):
    """d = b * (b * 3) with b = a * a: two paths of unequal length meet in a result."""
    a = leaf(2.0)
    b = a * a
    c = b * 3
    d = b * c
    return d, {"a": a, "b": b, "c": c, "d": d}


def skip(tt, leaf):
    """y = tanh(x * w) + x: a way around a layer."""
    x, w = leaf(0.5), leaf(2.0)
    h = (x * w).tanh()
    y = h + x
    return y, {"x": x, "w": w, "h": h, "y": y}


def ladder(n):
    """n diamonds in a row: 2 ** n paths lead through n results."""

    def build(tt, leaf):
        x = leaf(1.0)
        y = x
        for _ in range(n):
            y = y + y
        return y, {"x": x, "y": y}

    return build


def chain(n):
    """n additions, one after the other."""

    def build(tt, leaf):
        x = leaf(1.0)
        y = x
        for _ in range(n):
            y = y + 1.0
        return y, {"x": x, "y": y}

    return build


def wide(tt, leaf):
    """One leaf used by six results, that are added up."""
    x = leaf(2.0)
    y = x * 1
    for k in range(2, 7):
        y = y + x * k
    return y, {"x": x, "y": y}


def cubic(tt, leaf):
    """y = x ** 3 + x, with a plain number for the exponent."""
    x = leaf(2.0)
    y = x**3 + x
    return y, {"x": x, "y": y}


def functions(tt, leaf):
    """One of each: exp, log, tanh, relu, a quotient, a difference, a power."""
    x, y = leaf(0.5), leaf(2.0)
    z = (x.exp() / y - y.log()).tanh() + (x**2).relu()
    return z, {"x": x, "y": y, "z": z}


def matrices(tt, leaf):
    """loss = sum of (x @ w) ** 2, all shapes equal or by matmul."""
    x, w = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), leaf([[1.0], [-1.0]])
    h = x @ w
    loss = (h**2).sum()
    return loss, {"x": x, "w": w, "h": h, "loss": loss}


def crossed(tt, leaf):
    """Four results that use three leaves in all orders: not to be drawn without crossings."""
    a, b, c = leaf(1.0), leaf(2.0), leaf(3.0)
    p, q, r = a * b, b * c, c * a
    y = p * q + q * r + r * p
    return y, {"a": a, "b": b, "c": c, "p": p, "q": q, "r": r, "y": y}


def lattice(tt, leaf):
    """Four rows and four columns: each tensor uses two neighbours of the row before."""
    row = [leaf(float(k)) for k in range(1, 5)]
    names = {f"x{k}": x for k, x in enumerate(row)}
    for _ in range(3):
        row = [row[k] + row[(k + 1) % 4] for k in range(4)]
    y = (row[0] + row[1]) * (row[2] + row[3])
    return y, {**names, "y": y}


def broadcast(tt, leaf):
    """(4, 3) * (3,) + (4, 1): every way in which shapes can differ."""
    x = leaf([[1.0, 2.0, 3.0]] * 4)
    w, b = leaf([1.0, 2.0, 3.0]), leaf([[1.0], [2.0], [3.0], [4.0]])
    y = (x * w + b).sum()
    return y, {"x": x, "w": w, "b": b, "y": y}


def mlp(tt, leaf):
    """A network of two layers, with biases, and its mean squared error."""
    x = tt.Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w1, b1 = leaf([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]), leaf([0.1, 0.2, 0.3])
    w2, b2 = leaf([[1.0], [2.0], [3.0]]), leaf([0.5])
    h = (x @ w1 + b1).relu()
    out = h @ w2 + b2
    loss = ((out - 1) ** 2).sum()
    return loss, dict(x=x, w1=w1, b1=b1, w2=w2, b2=b2, h=h, out=out, loss=loss)


NEEDS_BROADCASTING = ("broadcast", "mlp")  # these two work from chapter 4 on

ZOO = {
    "single": single,
    "x_plus_x": x_plus_x,
    "x_times_x": x_times_x,
    "tree": tree,
    "twice": twice,
    "two_sums": two_sums,
    "diamond": diamond,
    "unequal_paths": unequal_paths,
    "skip": skip,
    "ladder": ladder(6),
    "chain": chain(12),
    "wide": wide,
    "cubic": cubic,
    "functions": functions,
    "matrices": matrices,
    "crossed": crossed,
    "lattice": lattice,
    "broadcast": broadcast,
    "mlp": mlp,
}
