"""What was compiled and why: graphs, graph breaks, recompiles, shapes, times."""
import dataclasses
import itertools

_graphs: list["Graph"] = []
_numbers = itertools.count()


@dataclasses.dataclass
class Segment:
    compiled: object
    launch: object
    ops: int


@dataclasses.dataclass
class Graph:
    name: str
    kind: str
    segments: list[Segment] = dataclasses.field(default_factory=list)

    def add(self, compiled, launch, nodes) -> None:
        self.segments.append(Segment(compiled, launch, len(nodes)))


def new_graph(kind: str) -> Graph:
    graph = Graph(f"fx_graph_{next(_numbers):03d}", kind)
    _graphs.append(graph)
    return graph
