"""A component as arrays, and as a model of HiGHS: cells that sums connect, and these sums."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass
class Component:
    """Cells and constraints, as arrays. wanted: the cells whose intervals are needed; known_alone: by the
    position of a cell with one contributor, what that one knows."""

    lower: Floats
    upper: Floats
    wanted: list[int]
    known_alone: dict[int, float]
    starts: NDArray[np.int32]
    index: NDArray[np.int32]
    sign: Floats
    least: Floats
    most: Floats


def component_of(cells: Sequence[Mapping[str, Any]], constraints: Sequence[Mapping[str, Any]]) -> Component:
    """A component from lists as in sql/tables/cell_bounds.sql."""
    infinite = math.inf
    return Component(
        np.array([cell["lo"] for cell in cells], dtype=np.float64),
        np.array([infinite if cell["hi"] is None else cell["hi"] for cell in cells], dtype=np.float64),
        [i for i, cell in enumerate(cells) if cell["is_asked"]],
        {i: cell["known_alone"] for i, cell in enumerate(cells) if cell["known_alone"] is not None},
        np.cumsum([0, *(len(each["cells"]) for each in constraints)], dtype=np.int32),
        np.array([place - 1 for each in constraints for place in each["cells"]], dtype=np.int32),
        np.array([sign for each in constraints for sign in each["signs"]], dtype=np.float64),
        np.array([-infinite if each["least"] is None else each["least"] for each in constraints]),
        np.array([infinite if each["most"] is None else each["most"] for each in constraints]),
    )


def model_of(component: Component) -> Any:
    """The model of HiGHS, without an objective."""
    import highspy

    def bounded(numbers: Floats) -> Floats:
        return np.clip(numbers, -highspy.kHighsInf, highspy.kHighsInf)

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(component.lower), len(component.least)
    model.col_cost_ = np.zeros(len(component.lower))
    model.col_lower_, model.col_upper_ = bounded(component.lower), bounded(component.upper)
    # sums that say the same of the same cells may differ by what sums of such numbers are off
    least, most = component.least.copy(), component.most.copy()
    crossed = (least > most) & (least - most <= 1e-9 * (1 + np.abs(most)))
    least[crossed] = most[crossed]
    model.row_lower_, model.row_upper_ = bounded(least), bounded(most)
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_, matrix.index_, matrix.value_ = component.starts, component.index, component.sign
    return model
