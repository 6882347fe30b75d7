"""Where the boxes of a graph stand and which way its arrows take: layers from left to right.

The steps are those of Sugiyama: layers, one stop in every layer for long edges, few crossings,
then coordinates. Nothing here knows of tensors: a graph is a list of sizes and a list of edges.
"""

from dataclasses import dataclass
from itertools import combinations, pairwise

LANE_GAP = 11  # between an edge that passes and what is above or below it
SWEEPS = 12


@dataclass(frozen=True)
class Edge:
    """From box `source` to box `target`; `port`, -1 to 1, is where it arrives, 0 anywhere."""

    source: int
    target: int
    port: float = 0


@dataclass(frozen=True)
class Place:
    left: float
    y: float  # of the middle; y grows downwards
    width: float
    height: float

    @property
    def right(self):
        return self.left + self.width


@dataclass(frozen=True)
class Layout:
    """`routes[k]` holds the points of edge k: it runs level inside a column and bends between."""

    places: list
    routes: list
    width: float
    height: float
    crossings: int


def layout(sizes, edges, gutter, row_gap=18, lane_gap=LANE_GAP):
    """Place boxes of these (width, height); every edge goes to a box later in the list.

    `gutter(k)` is the room wanted on the right of column k; the last column, on the right, is 0.
    """
    depths = depths_of(len(sizes), edges)
    net = Net(sizes, edges, depths, row_gap, lane_gap)
    net.untangle()
    ys = coordinates(net)
    lefts, rights = columns(net, gutter)
    places = [
        Place(rights[depths[i]] - width, ys[i], width, height)
        for i, (width, height) in enumerate(sizes)
    ]
    routes = [route(chain, net, ys, lefts, rights) for chain in net.chains]
    height = max(place.y + place.height / 2 for place in places)
    height = max([height] + [y for points in routes for _, y in points])
    return Layout(places, routes, rights[0], height, net.crossings())


def depths_of(count, edges):
    """How many columns each box stands before the last one: just before its first use."""
    depths = [0] * count
    for edge in sorted(edges, key=lambda edge: -edge.target):
        depths[edge.source] = max(depths[edge.source], depths[edge.target] + 1)
    return depths


class Net:
    """The graph with a stop on every column that an edge passes; edges become chains of stops."""

    def __init__(self, sizes, edges, depths, row_gap, lane_gap):
        self.boxes, self.row_gap, self.lane_gap = len(sizes), row_gap, lane_gap
        self.heights = [height for _, height in sizes]
        self.widths = [width for width, _ in sizes]
        self.depths = list(depths)
        self.edges = edges
        self.chains = [self.chain(edge) for edge in edges]
        self.left, self.right = self.neighbours()
        self.layers = self.first_order()

    def chain(self, edge):
        stops = []
        for depth in range(self.depths[edge.source] - 1, self.depths[edge.target], -1):
            stops.append(len(self.depths))
            self.depths.append(depth)
            self.heights.append(0)
            self.widths.append(0)
        return [edge.source, *stops, edge.target]

    def neighbours(self):
        """For each stop, (stop, port) of those one column to the left, and to the right."""
        left = [[] for _ in self.depths]
        right = [[] for _ in self.depths]
        for edge, chain in zip(self.edges, self.chains, strict=True):
            for a, b in pairwise(chain):
                port = edge.port * 0.4 if b == edge.target else 0
                left[b].append((a, port))
                right[a].append((b, port))
        return left, right

    def first_order(self):
        """Depth first from the last box, so that what belongs together starts together."""
        layers = [[] for _ in range(max(self.depths) + 1)]
        seen = set()
        stack = [i for i in range(self.boxes) if not self.right[i]]
        while stack:
            stop = stack.pop()
            if stop not in seen:
                seen.add(stop)
                layers[self.depths[stop]].append(stop)
                stack.extend(a for a, _ in reversed(self.left[stop]))
        return layers

    def pull(self, stop):
        """A box that only one other uses follows that one; it does not bend the main line."""
        return 1 if self.left[stop] or len(self.right[stop]) > 1 else 0.05

    def positions(self):
        return {stop: k for layer in self.layers for k, stop in enumerate(layer)}

    def crossings(self):
        """How many pairs of edges cross."""
        return sum(self.crossings_before(depth) for depth in range(len(self.layers) - 1))

    def crossings_before(self, depth):
        """Crossings in the gutter on the left of column `depth`."""
        at = self.positions()
        ends = [(at[a], at[b] + port) for b in self.layers[depth] for a, port in self.left[b]]
        return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(ends, 2))

    def untangle(self):
        """Order each column by the middle of its neighbours, to and fro; keep the best order."""
        best, fewest = [list(layer) for layer in self.layers], self.crossings()
        for sweep in range(SWEEPS):
            to_the_left = sweep % 2 == 0
            self.sweep(to_the_left)
            self.swap_neighbours()
            if self.crossings() < fewest:
                best, fewest = [list(layer) for layer in self.layers], self.crossings()
        self.layers = best

    def sweep(self, to_the_left):
        layers = self.layers if to_the_left else self.layers[::-1]
        for layer in layers[1:]:
            at = self.positions()
            sides = self.right if to_the_left else self.left
            middles = {stop: middle(sides[stop], at) for stop in layer}
            layer.sort(key=lambda stop: (middles[stop] is None, middles[stop] or 0))  # noqa: B023

    def swap_neighbours(self):
        """Swap two neighbours of a column wherever that saves a crossing."""
        for depth, layer in enumerate(self.layers):
            for k in range(len(layer) - 1):
                before = self.crossings_around(depth)
                layer[k], layer[k + 1] = layer[k + 1], layer[k]
                if self.crossings_around(depth) >= before:
                    layer[k], layer[k + 1] = layer[k + 1], layer[k]

    def crossings_around(self, depth):
        gutters = [d for d in (depth - 1, depth) if 0 <= d < len(self.layers) - 1]
        return sum(self.crossings_before(d) for d in gutters)


def middle(neighbours, at):
    if not neighbours:
        return None
    return sum(at[stop] + port for stop, port in neighbours) / len(neighbours)


def coordinates(net):
    """The y of each stop: as near to its neighbours as the gaps in its column allow."""
    ys = [0.0] * len(net.depths)
    for layer in net.layers:
        spread(net, layer, ys, [0.0] * len(layer))
    for sweep in range(2 * SWEEPS):
        for layer in net.layers if sweep % 2 == 0 else net.layers[::-1]:
            sides = net.right if sweep % 2 == 0 else net.left
            both = sweep >= SWEEPS
            wishes = [wish(net, stop, ys, sides, both) for stop in layer]
            spread(net, layer, ys, wishes)
    top = min(ys[i] - net.heights[i] / 2 for i in range(len(ys)))
    return [y - top for y in ys]


def wish(net, stop, ys, sides, both):
    """The mean height of the neighbours on one side, or on both; its own where it has none."""
    near = net.left[stop] + net.right[stop] if both else sides[stop]
    if not near:
        return ys[stop]
    pulls = [net.pull(other) for other, _ in near]
    return sum(ys[other] * pull for (other, _), pull in zip(near, pulls, strict=True)) / sum(pulls)


def spread(net, layer, ys, wishes):
    """Set ys of a column close to the wishes and far enough apart (pool adjacent violators)."""
    offsets, offset = [], 0.0
    for k, stop in enumerate(layer):
        offset += gap(net, layer[k - 1], stop) if k else 0
        offsets.append(offset)
    pools = []  # [sum of weighted wishes, sum of weights, how many stops]
    for stop, want, offset in zip(layer, wishes, offsets, strict=True):
        weight = net.pull(stop) if stop < net.boxes else 3  # long edges shall be straight
        pools.append([(want - offset) * weight, weight, 1])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    bases = [total / weight for total, weight, count in pools for _ in range(count)]
    for stop, base, offset in zip(layer, bases, offsets, strict=True):
        ys[stop] = base + offset


def gap(net, above, below):
    """The distance of two neighbours in a column, from middle to middle."""
    boxes = above < net.boxes and below < net.boxes
    room = net.row_gap if boxes else net.lane_gap
    return (net.heights[above] + net.heights[below]) / 2 + room


def columns(net, gutter):
    """The left and right border of each column; column 0 is the last one, on the right."""
    widths = [max(net.widths[stop] for stop in layer) for layer in net.layers]
    lefts, rights, x = {}, {}, 0.0
    for depth in reversed(range(len(widths))):
        lefts[depth], rights[depth] = x, x + widths[depth]
        x = rights[depth] + (gutter(depth) if depth else 0)
    return lefts, rights


def route(chain, net, ys, lefts, rights):
    """The points of an edge: from the right border of a column to the left border of the next."""
    source, target = chain[0], chain[-1]
    points = [(rights[net.depths[source]], ys[source])]
    for stop in chain[1:-1]:
        points += [(lefts[net.depths[stop]], ys[stop]), (rights[net.depths[stop]], ys[stop])]
    return [*points, (lefts[net.depths[target]], ys[target])]
