// The dialog in which the dealer enters wagers and seats, between two rounds.

import { make, setText } from "./dom.js";
import { complaint, send } from "./link.js";
import { money, spotWords } from "./words.js";

const SEATS = 15;

const field = (label, input) =>
  make("div", { class: "field" }, make("label", { htmlFor: input.id }, label), input);

function choice(id, options) {
  return make("select", { id }, ...options.map(([value, text]) => make("option", { value }, text)));
}

/** Open the dialog; `look` gives the table as it is now. */
export function enterWagers(look) {
  const numbers = Array.from({ length: SEATS }, (_, index) => index + 1);
  const seat = choice("wager-seat", numbers.map((number) => [number, `Seat ${number}`]));
  const spot = choice("wager-on", look().spots.map((name) => [name, spotWords(name)]));
  const amount = make("input", { id: "wager-amount", type: "number", min: "0.01", step: "0.01" });
  const dealer = make("input", { id: "wager-dealer", type: "checkbox" });
  const wrong = make("p", { class: "wrong", role: "alert" });
  const list = make("ul", { class: "wagers" });

  const show = () => list.replaceChildren(...look().wagers.map(item));
  const say = async (path, body) => {
    setText(wrong, complaint(await send(`/api/dealer/${path}`, body)));
    setTimeout(show, 150); // by then the table has told what it took
  };
  const item = (wager) => {
    const takeBack = make("button", { type: "button" }, "Take back");
    takeBack.addEventListener("click", () => say("wager", { ...wager, withdraw: true }));
    const who = wager.dealer ? "dealer's wager" : `seat ${wager.seat}`;
    return make("li", {}, `${who}: ${spotWords(wager.on)} ${money(wager.cents)}`, takeBack);
  };
  const place = make("button", { type: "submit", class: "chief" }, "Place");
  const form = make(
    "form",
    { class: "row entry" },
    field("Seat", seat),
    field("On", spot),
    field("Amount", amount),
    make("label", { htmlFor: "wager-dealer" }, dealer, " dealer's"),
    place,
  );
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    const cents = Math.round(Number(amount.value) * 100);
    say("wager", { seat: Number(seat.value), on: spot.value, cents, dealer: dealer.checked });
  });

  const close = make("button", { type: "button" }, "Close");
  const dialog = make(
    "dialog",
    { "aria-label": "Wagers" },
    make("h2", {}, "Wagers"),
    form,
    ...(look().seats ? [seatButtons(seat, say)] : []),
    wrong,
    list,
    make("div", { class: "row end" }, close),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  show();
  dialog.showModal();
}

/** The player-dealer's game (W8): who sits, and who takes the place. */
function seatButtons(seat, say) {
  const words = { sit: "Sits down", leave: "Leaves", accept: "Takes the place", refuse: "Refuses it" };
  return make(
    "div",
    { class: "row" },
    ...Object.entries(words).map(([does, text]) => {
      const button = make("button", { type: "button" }, text);
      button.addEventListener("click", () => say("seat", { seat: Number(seat.value), does }));
      return button;
    }),
  );
}
