// The dialog in which a supervisor gives a decided round its right cards.

import { places } from "./cards.js";
import { make } from "./dom.js";
import { pickCards } from "./picker.js";

/** Ask which round and which cards; gives {round, player, banker}, or null when called off. */
export function askCorrection(rounds) {
  const decided = rounds.filter((round) => round.kind === "live" && round.status === "decided");
  const choice = make(
    "select",
    { id: "round-asked" },
    ...decided.toReversed().map(({ number }) => make("option", { value: number }, `Round ${number}`)),
  );
  const right = { player: [], banker: [] };
  const rows = {};
  const draw = () => {
    for (const side of ["player", "banker"]) rows[side].replaceChildren(...places({ cards: right[side] }));
  };
  const take = () => {
    const round = decided.find(({ number }) => number === Number(choice.value));
    for (const side of ["player", "banker"]) right[side] = [...(round?.[side].cards ?? [])];
    draw();
  };
  const handRow = (side, title) => {
    const change = make("button", { type: "button" }, "Change …");
    change.addEventListener("click", async () => {
      const cards = await pickCards(`${title}'s right cards`, [2, 3]);
      if (cards) right[side] = cards;
      draw();
    });
    rows[side] = make("ol", { class: "cards" });
    return make("div", { class: `hand ${side}` }, make("h3", {}, title), rows[side], change);
  };
  const done = make("button", { type: "button", class: "chief", disabled: !decided.length }, "Correct the record");
  const cancel = make("button", { type: "button" }, "Cancel");
  const dialog = make(
    "dialog",
    { "aria-label": "Correct a round" },
    make("h2", {}, "Correct a round"),
    make("p", { class: "quiet" }, "Result, payments and roads are worked out again; the record keeps both."),
    make("div", { class: "field" }, make("label", { htmlFor: "round-asked" }, "Round"), choice),
    handRow("player", "Player"),
    handRow("banker", "Banker"),
    make("div", { class: "row end" }, cancel, done),
  );
  document.body.append(dialog);
  choice.addEventListener("change", take);
  take();
  dialog.showModal();
  return new Promise((settle) => {
    const close = (value) => {
      dialog.remove();
      settle(value);
    };
    done.addEventListener("click", () => close({ round: Number(choice.value), ...right }));
    cancel.addEventListener("click", () => close(null));
    dialog.addEventListener("cancel", () => close(null));
  });
}
