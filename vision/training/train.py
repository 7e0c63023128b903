"""Train the reader's three networks on pictures that are made for it; see docs/reader.md."""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from vision.body import BODY_HEIGHT, BODY_WIDTH
from vision.index import INDEX_HEIGHT, normalise
from vision.training.artwork import all_faces
from vision.training.data import FINDER_SIZE, make_chunk
from vision.training.nets import BodyNet, Finder, IndexNet
from vision.training.resume import resume

SCENES = (1200, 1200, 1500)
"""In a part of the set: for the finder, of several cards, of one card."""
LIGHT_ON_DARK = 0.06
"""Share of patches and bodies shown with light print on dark paper."""
SMOOTHING = 0.004
"""No label is taken for quite certain: so the networks do not learn to be surer than they can."""
EXAMPLES = 4000
"""So many tell what a network's layers usually say, when it is trained on."""
PACE_GOING_ON = 0.3
OFFSET_WEIGHT = 8.0
"""What an offset's error weighs beside a wrong name."""

Arrays = dict[str, NDArray[np.generic]]


def make_set(seed: int, chunks: int, scale: float, workers: int) -> Arrays:
    """The training set, made by several processes."""
    art = all_faces()
    with ProcessPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(make_chunk, art, seed + part, *(int(n * scale) for n in SCENES), 900)
            for part in range(chunks)
        ]
        parts = [job.result() for job in jobs]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def finder_targets(spots: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Heat, weight of the heat, values (offset, up, middle) and where these count, by cell."""
    cells = FINDER_SIZE // 4
    ys, xs = torch.meshgrid(torch.arange(cells), torch.arange(cells), indexing="ij")
    n = len(spots)
    heat, weight = torch.zeros(n, cells, cells), torch.ones(n, cells, cells)
    values, counts = torch.zeros(n, 6, cells, cells), torch.zeros(n, cells, cells)
    for k in range(12):
        x, y, ux, uy, mx, my, seen = (spots[:, k, i, None, None] for i in range(7))
        cx, cy = x / 4 - 0.5, y / 4 - 0.5
        far = (xs - cx) ** 2 + (ys - cy) ** 2
        high = (ux**2 + uy**2).sqrt()
        spread = (high / 16).clamp(0.7, 1.6)
        blob = torch.exp(-far / (2 * spread**2)) * (seen > 0)
        whole = seen > 0.9
        nearest = (xs == cx.round()) & (ys == cy.round()) & whole
        heat = torch.maximum(heat, torch.where(whole, blob, torch.zeros_like(blob)))
        heat = torch.where(nearest, torch.ones_like(heat), heat)
        doubtful = (seen > 0.45) & ~whole & (blob > 0.1)
        weight = torch.where(doubtful, torch.zeros_like(weight), weight)
        here = whole & (blob > 0.4)
        now = torch.stack(
            [
                (cx - xs),
                (cy - ys),
                (ux / 16).expand_as(blob),
                (uy / 16).expand_as(blob),
                ((mx - x) / 32).expand_as(blob),
                ((my - y) / 32).expand_as(blob),
            ],
            1,
        )
        values = torch.where(here[:, None], now, values)
        counts = torch.where(here, torch.ones_like(counts), counts)
    return heat, weight, values, counts


def finder_loss(out: torch.Tensor, spots: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
    """Focal loss of the heat, smooth L1 of the values, cross entropy of the kinds."""
    heat, weight, values, counts = finder_targets(spots)
    logit = out[:, 0]
    sure = torch.sigmoid(logit)
    hit = heat > 0.999
    plus = -functional.logsigmoid(logit) * (1 - sure) ** 2 * hit
    minus = -functional.logsigmoid(-logit) * sure**2 * (1 - heat) ** 4 * ~hit
    focal = ((plus + minus) * weight).sum() / hit.sum().clamp(min=1)
    off = functional.smooth_l1_loss(out[:, 1:7], values, reduction="none", beta=0.2).sum(1)
    off = (off * counts).sum() / counts.sum().clamp(min=1)
    kind = functional.cross_entropy(out[:, 7:], kinds.long())
    return focal + 2 * off + 0.5 * kind


def _batches(count: int, size: int, random: np.random.Generator):  # type: ignore[no-untyped-def]
    order = random.permutation(count)
    for start in range(0, count - size + 1, size):
        yield order[start : start + size]


def finder_input(pixels: NDArray[np.uint8]) -> torch.Tensor:
    """As at the table: mean 0, spread 1 over the whole picture."""
    values = pixels.astype(np.float32)
    values -= values.mean(axis=(1, 2), keepdims=True)
    values /= values.std(axis=(1, 2), keepdims=True) + 8.0
    return torch.from_numpy(values[:, None])


def fit(net, steps: int, size: int, count: int, loss_of, rate: float, name: str, seconds: float):  # type: ignore[no-untyped-def]
    """Train for so many steps or seconds, the rate falling to nothing."""
    random = np.random.default_rng(7)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-4)
    start, step, shown = time.time(), 0, 0.0
    net.train()
    while True:
        for rows in _batches(count, size, random):
            gone = max(step / steps, (time.time() - start) / seconds)
            if gone >= 1:
                net.eval()
                return
            pace = rate * min(1, step / 100) * 0.5 * (1 + np.cos(np.pi * gone))
            for group in optimiser.param_groups:
                group["lr"] = pace
            loss = loss_of(net, rows)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            length = torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            if torch.isfinite(length):
                optimiser.step()
            shown = 0.98 * shown + 0.02 * float(loss.detach()) if step else float(loss.detach())
            if step % 200 == 0:
                print(
                    f"{name} step {step} loss {shown:.4f} {time.time() - start:.0f} s", flush=True
                )
            step += 1


def train_finder(data: Arrays, net: Finder, steps: int, rate: float, seconds: float) -> None:
    def loss_of(net: Finder, rows):  # type: ignore[no-untyped-def]
        out = net(finder_input(data["finder_x"][rows]))
        return finder_loss(
            out,
            torch.from_numpy(data["finder_spots"][rows]),
            torch.from_numpy(data["finder_cells"][rows]),
        )

    fit(net, steps, 24, len(data["finder_x"]), loss_of, rate, "finder", seconds)


def roughen(
    pixels: NDArray[np.uint8], random: np.random.Generator
) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """The same pictures a little different each time that they are shown; how far they moved."""
    n, height, width = pixels.shape
    values = pixels.astype(np.float32)
    down, right = (int(step) for step in random.integers(-2, 3, 2))
    values = np.roll(values, (down, right), (1, 2))
    if down > 0:
        values[:, :down] = values[:, down : down + 1]
    if down < 0:
        values[:, down:] = values[:, down - 1 : down]
    if right > 0:
        values[:, :, :right] = values[:, :, right : right + 1]
    if right < 0:
        values[:, :, right:] = values[:, :, right - 1 : right]
    spread = values.std(axis=(1, 2), keepdims=True)
    values += spread * random.uniform(0, 0.25, (n, 1, 1)) * random.normal(0, 1, values.shape)
    ramp = np.linspace(-1, 1, width)[None, None, :] * random.normal(0, 0.3, (n, 1, 1))
    ramp = ramp + np.linspace(-1, 1, height)[None, :, None] * random.normal(0, 0.3, (n, 1, 1))
    values += spread * ramp
    is_light_on_dark = random.random((n, 1, 1)) < LIGHT_ON_DARK
    values = np.where(is_light_on_dark, 255 - values, values)
    return np.clip(values, 0, 255).astype(np.uint8), (right, down)


def train_classifier(  # type: ignore[no-untyped-def]
    x,
    y,
    offsets,
    net,
    split: int,
    unit: tuple[float, float],
    name: str,
    rate: float,
    seconds: float,
) -> None:
    """``unit``: pixels of an offset of one to the right, and downwards."""
    random = np.random.default_rng(11)
    names = split + 5

    def loss_of(net, rows):  # type: ignore[no-untyped-def]
        pixels, (right, down) = roughen(x[rows], random)
        out = net(torch.from_numpy(normalise(pixels)))
        target = torch.from_numpy(y[rows])
        first = functional.cross_entropy(out[:, :split], target[:, 0], label_smoothing=SMOOTHING)
        second = functional.cross_entropy(
            out[:, split:names], target[:, 1], label_smoothing=SMOOTHING
        )
        off = torch.from_numpy(offsets[rows])
        told = ~off[:, 0].isnan()
        off = off[told] + torch.tensor(
            [right / unit[0], down / unit[1]] + [0.0] * (off.shape[1] - 2)
        )
        far = functional.smooth_l1_loss(out[told, names:], off, beta=0.05)
        return first + second + OFFSET_WEIGHT * far

    fit(net, 10**6, 128, len(x), loss_of, rate, name, seconds)


def export(net: torch.nn.Module, shape: tuple[int, ...], path: Path) -> None:
    """As ONNX, for any number of pictures (the finder: of any size)."""
    free = {0: "n"} if len(shape) and shape[2] != FINDER_SIZE else {0: "n", 2: "h", 3: "w"}
    torch.onnx.export(
        net.eval(),
        (torch.zeros(shape),),
        str(path),
        input_names=["x"],
        output_names=["y"],
        dynamic_axes={"x": free, "y": {0: "n"} if free == {0: "n"} else free},
        dynamo=False,
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("vision/models"))
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--chunks", type=int, default=16)
    arguments.add_argument("--scale", type=float, default=1.0)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--minutes", type=float, default=15)
    arguments.add_argument("--only", default="finder,index,body")
    arguments.add_argument("--go-on", action="store_true", help="from the networks in OUT")
    arguments.add_argument(
        "--keep", type=Path, nargs="*", default=[], help="keep the training set here, or take it"
    )
    chosen = arguments.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    start = time.time()
    if chosen.keep and chosen.keep[0].exists():
        sets = [np.load(kept) for kept in chosen.keep]
        wanted = [name for name in sets[0] if name.split("_")[0] in chosen.only]
        data = {name: np.concatenate([one[name] for one in sets]) for name in wanted}
    else:
        data = make_set(chosen.seed * 1000, chosen.chunks, chosen.scale, chosen.workers)
        if chosen.keep:
            np.savez(chosen.keep[0], **data)
    print(
        {name: part.shape for name, part in data.items()},
        f"{time.time() - start:.0f} s",
        flush=True,
    )
    seconds = chosen.minutes * 60
    pace = PACE_GOING_ON if chosen.go_on else 1.0
    if "index" in chosen.only:
        net = IndexNet()
        if chosen.go_on:
            examples = torch.from_numpy(normalise(data["index_x"][:EXAMPLES]))
            resume(net, chosen.out / "index.onnx", examples)
        parts = (data[f"index_{part}"] for part in ("x", "y", "off"))
        train_classifier(
            *parts, net, 14, (INDEX_HEIGHT, -INDEX_HEIGHT), "index", 3e-3 * pace, seconds
        )
        export(net, (1, 1, 48, 32), chosen.out / "index.onnx")
    if "finder" in chosen.only:
        net = Finder()
        if chosen.go_on:
            examples = finder_input(data["finder_x"][: EXAMPLES // 10])
            resume(net, chosen.out / "finder.onnx", examples)
        train_finder(data, net, 10**6, 2e-3 * pace, seconds)
        export(net, (1, 1, FINDER_SIZE, FINDER_SIZE), chosen.out / "finder.onnx")
    if "body" in chosen.only:
        net = BodyNet()
        if chosen.go_on:
            examples = torch.from_numpy(normalise(data["body_x"][:EXAMPLES]))
            resume(net, chosen.out / "body.onnx", examples)
        parts = (data[f"body_{part}"] for part in ("x", "y", "off"))
        train_classifier(*parts, net, 12, (BODY_WIDTH, BODY_HEIGHT), "body", 3e-3 * pace, seconds)
        export(net, (1, 1, 64, 48), chosen.out / "body.onnx")
    print(f"done in {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
