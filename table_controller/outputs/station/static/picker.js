// A dialog that asks for one or more cards: a rank, a suit, and there the card is.

import { face } from "./cards.js";
import { make } from "./dom.js";
import { cardWords, isRed, rankText, RANK_ORDER, suitSign, SUIT_ORDER } from "./words.js";

/** Ask for `count` cards (a range [least, most]); gives their names, or null when called off. */
export function pickCards(title, [least, most], confirm = "Confirm") {
  const chosen = [];
  let rank = null;
  const picked = make("ol", { class: "picked", "aria-label": "chosen cards", "aria-live": "polite" });
  const done = make("button", { type: "button", class: "chief" }, confirm);
  const undo = make("button", { type: "button" }, "Take back");
  const cancel = make("button", { type: "button" }, "Cancel");
  const ranks = RANK_ORDER.map((name) =>
    make("button", { type: "button", "aria-label": `rank ${rankText(name)}` }, rankText(name)),
  );
  const suits = SUIT_ORDER.map((name) =>
    make(
      "button",
      { type: "button", class: isRed(name) ? "red" : "", "aria-label": cardWords(`A${name}`).slice(7) },
      suitSign(name),
    ),
  );

  const show = () => {
    picked.replaceChildren(...chosen.map(face));
    ranks.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(RANK_ORDER[index] === rank));
      button.disabled = chosen.length >= most;
    });
    suits.forEach((button) => (button.disabled = rank === null));
    done.disabled = chosen.length < least;
    undo.disabled = chosen.length === 0;
  };
  ranks.forEach((button, index) =>
    button.addEventListener("click", () => {
      rank = RANK_ORDER[index];
      show();
    }),
  );
  suits.forEach((button, index) =>
    button.addEventListener("click", () => {
      chosen.push(rank + SUIT_ORDER[index]);
      rank = null;
      show();
    }),
  );
  undo.addEventListener("click", () => {
    chosen.pop();
    show();
  });

  const dialog = make(
    "dialog",
    { "aria-label": title },
    make("h2", {}, title),
    make(
      "div",
      { class: "picker" },
      picked,
      make("div", { class: "ranks" }, ...ranks),
      make("div", { class: "suits" }, ...suits),
    ),
    make("div", { class: "row end" }, cancel, undo, done),
  );
  return ask(dialog, cancel, done, show, () => chosen);
}

/** Ask for a whole number; gives it, or null when called off. */
export function pickNumber(title, label, start, least, most) {
  const input = make("input", {
    type: "number", min: least, max: most, value: start, id: "number-asked", required: true,
  });
  const done = make("button", { type: "button", class: "chief" }, "Confirm");
  const cancel = make("button", { type: "button" }, "Cancel");
  const step = (by) => {
    const button = make("button", { type: "button" }, by > 0 ? `+${by}` : `−${-by}`);
    button.addEventListener("click", () => {
      input.value = Math.min(most, Math.max(least, Number(input.value) + by));
    });
    return button;
  };
  const dialog = make(
    "dialog",
    { "aria-label": title },
    make("h2", {}, title),
    make("div", { class: "field" }, make("label", { htmlFor: "number-asked" }, label), input),
    make("div", { class: "row" }, step(-10), step(-1), step(1), step(10)),
    make("div", { class: "row end" }, cancel, done),
  );
  const valid = () => input.checkValidity() && Number.isInteger(Number(input.value));
  return ask(dialog, cancel, done, () => {}, () => (valid() ? Number(input.value) : undefined));
}

/** Ask a question; gives {} for yes, null for no. */
export function sure(question) {
  const yes = make("button", { type: "button", class: "chief" }, "Yes");
  const no = make("button", { type: "button" }, "No");
  const buttons = make("div", { class: "row end" }, no, yes);
  const dialog = make("dialog", { "aria-label": question }, make("h2", {}, question), buttons);
  return ask(dialog, no, yes, () => {}, () => ({}));
}

function ask(dialog, cancel, done, show, answer) {
  document.body.append(dialog);
  show();
  dialog.showModal();
  return new Promise((settle) => {
    const close = (value) => {
      dialog.remove();
      settle(value);
    };
    cancel.addEventListener("click", () => close(null));
    dialog.addEventListener("cancel", () => close(null));
    done.addEventListener("click", () => {
      const value = answer();
      if (value !== undefined) close(value);
    });
  });
}
