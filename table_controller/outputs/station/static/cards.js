// Cards as elements: faces, backs, and the empty places where the next ones go.

import { make } from "./dom.js";
import { cardWords, isRed, rankText, suitSign } from "./words.js";

export function face(name) {
  return make(
    "li",
    { class: isRed(name[1]) ? "card red" : "card", role: "img", "aria-label": cardWords(name) },
    make("span", { class: "rank" }, rankText(name[0])),
    make("span", { class: "suit" }, suitSign(name[1])),
  );
}

export const back = () =>
  make("li", { class: "card back", role: "img", "aria-label": "a card, face down" });

export const unknown = () =>
  make("li", { class: "card unknown", role: "img", "aria-label": "a card not read" }, "?");

export const slot = (isDue) =>
  make("li", {
    class: isDue ? "card slot due" : "card slot",
    role: "img",
    "aria-label": isDue ? "the next card goes here" : "empty place",
  });

/**
 * The places of a hand: its cards, backs for what lies face down, and empty places up to three.
 * `unread`: the card that is due lies there already, and nobody has said yet which it is.
 */
export function places({ cards = [], hidden = 0, due = false, unread = false }) {
  const lying = [...cards.map(face), ...Array.from({ length: hidden }, back)];
  if (due && unread) lying.push(unknown());
  const empty = Math.max(0, 3 - lying.length);
  return [...lying, ...Array.from({ length: empty }, (_, index) => slot(due && !unread && index === 0))];
}
