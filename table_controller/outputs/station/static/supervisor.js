// The supervisor's page: sign in, see the alerts with the card as the camera saw it, rule.

import { places } from "./cards.js";
import { byId, make, redraw, setText } from "./dom.js";
import { complaint, follow, send } from "./link.js";
import { pickCards, sure } from "./picker.js";
import { askCorrection } from "./correct.js";
import { beadPlate, bigRoad, derivedRoad } from "./roads.js";
import { setClock, signature, stepItems } from "./steps.js";
import { cardShort, isRed, money, PHASES, SIDES } from "./words.js";

const PATH = "/api/supervisor";
const ROAD_COLUMNS = 24;
const DERIVED_COLUMNS = 14;
const SIGNS = { stop: "■ Stop", warn: "▲ Warning", info: "● Note" };

let view = {};

// --- rulings ---------------------------------------------------------------------------------

/** What each ruling is called and what has to be asked for before it is sent. */
const RULINGS = {
  order: ["Say the order …", inOrder],
  card: ["Name the card …", oneCard],
  not_exposed: ["Was not exposed", () => ({})],
  exposed: ["Was exposed", () => ({})],
  dead: ["Declare the round dead", () => sure("Declare this round dead?")],
  void: ["Void the round", () => sure("Cancel this round? All wagers go back.")],
  dummy: ["Dummy hand", () => sure("Play a dummy hand? Wagers go back.")],
  burn: ["Order a burn", () => sure("Order a burn?")],
  waive_burn: ["Waive the burn", () => ({})],
  approve: ["Approve", () => ({})],
  reshuffle: ["Reshuffle", () => sure("Reshuffle now? A round at the table is void.")],
  replace_deck: ["Replace the deck", () => sure("Replace the deck?")],
  resume: ["Resume play", () => ({})],
  correct: ["Correct a round …", () => askCorrection(view.rounds)],
};

async function inOrder() {
  const waiting = Math.max(2, view.waiting);
  const cards = await pickCards("The waiting cards in their proper order", [waiting, waiting]);
  return cards && { cards };
}

async function oneCard() {
  const cards = await pickCards("Which card is it?", [1, 1]);
  return cards && { card: cards[0] };
}

async function rule(ruling) {
  const more = await RULINGS[ruling][1]();
  if (more) answered(await send(`${PATH}/rule`, { ruling, ...more }));
}

function answered(answer) {
  setText(byId("answer"), complaint(answer));
}

function rulingButton(ruling) {
  const button = make("button", { type: "button" }, RULINGS[ruling]?.[0] ?? ruling);
  button.dataset.ruling = ruling;
  button.addEventListener("click", () => rule(ruling));
  return button;
}

// --- alerts ----------------------------------------------------------------------------------

const isOpen = (alert) => alert.shining || (alert.severity === "stop" && !alert.settled);

/** The rulings that answer an alert of a code; which of them are allowed the table says. */
const ANSWERS = {
  double_draw: ["order"],
  unreadable: ["card"],
  readers_disagree: ["card"],
  surplus_card: ["card"],
  foreign_card: ["card", "replace_deck"],
  drawn_out_of_play: ["order", "resume"],
  overdraw: ["exposed"],
  overdraw_exposed: ["not_exposed"],
  lid_open: ["resume"],
  sensor_blocked: ["resume"],
  shuffler_error: ["resume"],
  device_lost: ["resume"],
  shoe_empty: ["void", "reshuffle"],
  cut_card_depth: ["reshuffle"],
  cut_card_missing: ["reshuffle"],
};
const answersTo = ({ code }) => (ANSWERS[code] ?? []).filter((ruling) => view.rulings.includes(ruling));

function alertItem(alert) {
  const item = make(
    "li",
    { class: `alert ${alert.severity}` },
    make("p", { class: "round" }, `${SIGNS[alert.severity]} · round ${alert.round ?? "–"}${byWhom(alert)}`),
    make("p", { class: "what" }, alert.text),
    make("p", {}, alert.action ?? ""),
  );
  if (alert.picture) {
    item.append(
      make("img", { src: `${PATH}/picture/${alert.picture}`, alt: "the card as the camera saw it" }),
    );
  }
  if (alert.code === "surplus_card" && !alert.settled && view.clash.length) item.append(clashList());
  const actions = make("div", { class: "row" }, ...answersTo(alert).map(rulingButton));
  if (alert.shining) actions.append(acknowledgeButton(alert.code));
  item.append(actions);
  return item;
}

/** Every read of the card that came once too often, the likelier wrong one first. */
function clashList() {
  const reads = view.clash.map(({ round, confidence, current, picture }) => {
    const where = current ? "this card" : `round ${round ?? "–"}`;
    const sure = `${(confidence * 100).toFixed(1)} % sure`;
    const seen = picture ? [make("img", { src: `${PATH}/picture/${picture}`, alt: `as seen in ${where}` })] : [];
    return make("li", {}, `${where}, ${sure}`, ...seen);
  });
  return make("ol", { class: "clash", "aria-label": "Reads of this card, the likelier wrong first" }, ...reads);
}

const byWhom = (alert) => (alert.acknowledged_by ? ` · seen by ${alert.acknowledged_by}` : "");

function acknowledgeButton(code) {
  const button = make("button", { type: "button" }, "Acknowledge");
  button.dataset.acknowledge = code;
  button.addEventListener("click", async () => answered(await send(`${PATH}/acknowledge`, { code })));
  return button;
}

function pastItem(alert) {
  return make(
    "li",
    { class: "alert past" },
    make("p", {}, `Round ${alert.round ?? "–"}: ${alert.text}${byWhom(alert)}`),
  );
}

function showAlerts() {
  const all = view.alerts.toReversed();
  const open = all.filter(isOpen);
  const past = all.filter((alert) => !open.includes(alert));
  byId("no-alerts").hidden = open.length > 0;
  redraw(byId("open-alerts"), [open, view.rulings, view.clash], () => open.map(alertItem));
  setText(byId("past-count"), String(past.length));
  redraw(byId("past-alerts"), past.slice(0, 50), (alerts) => alerts.map(pastItem));
  document.title = (open.length ? `(${open.length}) ` : "") + document.title.replace(/^\(\d+\) /, "");
}

// --- the table -------------------------------------------------------------------------------

function showNow() {
  const { round } = view;
  setText(byId("phase"), PHASES[view.phase] ?? "");
  setText(byId("next"), view.next_step);
  for (const side of ["player", "banker"]) {
    const hand = round?.[side] ?? {};
    redraw(byId(side), [hand, view.due], () =>
      places({ cards: hand.cards, hidden: hand.count, due: view.due === side }),
    );
    setText(byId(`${side}-points`), hand.cards?.length ? String(hand.points) : "");
  }
}

function showProcedure() {
  const { procedure, signed } = view;
  byId("procedure").hidden = procedure === null && signed.length === 0;
  setText(byId("procedure-title"), procedure?.title ?? "Signed for this shoe");
  redraw(byId("steps"), procedure?.steps ?? [], stepItems);
  redraw(byId("signed"), procedure ? [] : signed, (all) =>
    all.map((one) => make("li", {}, `${one.step.replaceAll("_", " ")}: ${signature(one)}`)),
  );
}

const suspicionShort = ({ sign, cards, level }) => `${level}: ${cards} ${sign.replace("_", " ")}`;

function showShoe() {
  const { drawn, burned, remaining, cut_card: cut, last_round: last } = view.shoe;
  const facts = [
    ["Cards left", remaining],
    ["Drawn", drawn],
    ["of these burned", burned],
    ["Cutting card", cut ? "has come out" : "in the shoe"],
    ["Last round", last ? "yes" : "no"],
    ["Lock", view.lock],
    ["Held as next card", view.held === null ? "–" : view.held ? "yes" : "no"],
    ["Order of the cards", view.order.map(suspicionShort).join("; ") || "nothing to tell"],
    ...deckCheckFacts(),
    ...(view.not_seen === null ? [] : [["The stub must hold", cardsWords(view.not_seen)]]),
    ["Staked in this shoe", money(view.totals.staked)],
    ["Kept by the bank", money(view.totals.bank)],
    ...view.boxed_commission.map(({ seat, cents }) => [`Commission of seat ${seat}`, money(cents)]),
  ];
  byId("order-alarm").hidden = !view.order.some(({ level }) => level === "alarm");
  redraw(byId("shoe"), facts, (rows) =>
    rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]),
  );
}

const cardsWords = (names) => `${names.length}: ${names.map(cardShort).join(" ")}`;

function deckCheckFacts() {
  const check = view.deck_check;
  if (check === null) return [];
  const { seen, missing, surplus, unreadable, foreign } = check;
  const facts = [["Cards checked", `${seen} of ${view.shoe.decks * 52}`]];
  if (missing.length) facts.push(["Missing", cardsWords(missing)]);
  if (surplus.length) facts.push(["Surplus", cardsWords(surplus)]);
  return [...facts, ["Unreadable", unreadable], ["Foreign", foreign]];
}

function handCell(hand) {
  const cards = hand.cards.map((name) =>
    make("span", { class: isRed(name[1]) ? "redcard" : "" }, `${cardShort(name)} `),
  );
  return make("td", {}, ...cards, `= ${hand.points}`);
}

function historyRow(round) {
  const kind = round.kind === "dummy" ? "dummy hand" : round.status;
  return make(
    "tr",
    {},
    make("td", {}, String(round.number)),
    handCell(round.player),
    handCell(round.banker),
    make("td", { class: round.outcome ?? "" }, SIDES[round.outcome] ?? "–"),
    make("td", {}, round.corrected_from ? `${kind}, corrected` : kind),
  );
}

function showRoads() {
  const { roads } = view;
  redraw(byId("bead-plate"), roads.bead_plate, (beads) => [beadPlate(beads, ROAD_COLUMNS)]);
  redraw(byId("big-road"), roads.big_road, (circles) => [bigRoad(circles, ROAD_COLUMNS)]);
  for (const [id, key, label] of [
    ["big-eye-boy", "big_eye_boy", "big eye boy"],
    ["small-road", "small_road", "small road"],
    ["cockroach-pig", "cockroach_pig", "cockroach pig"],
  ]) {
    redraw(byId(id), roads[key], (marks) => [derivedRoad(key, marks, DERIVED_COLUMNS, label)]);
  }
}

function show(now) {
  view = now;
  showAlerts();
  showNow();
  showProcedure();
  showShoe();
  showRoads();
  redraw(byId("rulings"), view.rulings, (rulings) =>
    rulings.length ? rulings.map(rulingButton) : [make("p", { class: "quiet" }, "None.")],
  );
  redraw(byId("history"), view.rounds, (rounds) => rounds.toReversed().map(historyRow));
}

// --- people and screens ----------------------------------------------------------------------

async function showPeople() {
  const answer = await fetch(`${PATH}/people`);
  if (!answer.ok) return;
  const { supervisors, screens } = await answer.json();
  byId("supervisors").replaceChildren(
    ...supervisors.map((name) => {
      const remove = make("button", { type: "button", "aria-label": `Remove ${name}` }, "Remove");
      remove.addEventListener("click", () => change(`${PATH}/people/remove`, { name }));
      return make("li", {}, name, remove);
    }),
  );
  setText(byId("paired"), `Paired dealer's screens: ${screens}`);
}

async function change(path, body) {
  const answer = await send(path, body);
  setText(byId("people").querySelector(".wrong"), complaint(answer));
  await showPeople();
  return answer;
}

byId("people").addEventListener("toggle", showPeople);
byId("add").addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  change(`${PATH}/people/add`, { name: byId("add-name").value, passphrase: byId("add-passphrase").value });
  byId("add").reset();
});
byId("pair").addEventListener("click", async () => {
  const { code } = await send(`${PATH}/pairing-code`);
  setText(byId("pairing-code"), code ?? "");
});
byId("unpair").addEventListener("click", () => change(`${PATH}/unpair`, {}));

// --- signing in ------------------------------------------------------------------------------

// The page is about to be loaded anew, which must not take away what is being typed by then.
let leaving = false;

async function open() {
  const access = await (await fetch(`${PATH}/access`, { cache: "no-store" })).json();
  const inside = access.name !== null;
  byId("gate").hidden = inside;
  byId("office").hidden = !inside;
  byId("sign-out").hidden = !inside;
  byId("set-up").hidden = access.set_up;
  byId("sign-in").hidden = !access.set_up;
  setText(byId("who"), access.name ?? "");
  if (inside) {
    await setClock(`${PATH}/clock`);
    follow(`${PATH}/stream`, `${PATH}/access`, (now) => now.name !== null, {
      onTable: show,
      onLost: showLost,
      onRefused: () => leaving || open(),
    });
  }
}

function showLost(lost) {
  if (!lost) setClock(`${PATH}/clock`);
  byId("lost").hidden = !lost;
  document.body.classList.toggle("lost", lost);
  byId("office").inert = lost;
}

async function enter(form, path, body) {
  const why = complaint(await send(path, body));
  setText(form.querySelector(".wrong"), why);
  if (why) return;
  form.reset();
  history.replaceState(null, "", location.pathname);
  open();
}

byId("set-up").addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const form = byId("set-up");
  const passphrase = byId("setup-passphrase").value;
  if (passphrase !== byId("setup-again").value) {
    setText(form.querySelector(".wrong"), "The two passphrases differ.");
    return;
  }
  enter(form, `${PATH}/setup`, { code: byId("setup-code").value, name: byId("setup-name").value, passphrase });
});
byId("sign-in").addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  enter(byId("sign-in"), `${PATH}/signin`, { name: byId("name").value, passphrase: byId("passphrase").value });
});
byId("sign-out").addEventListener("click", async () => {
  leaving = true;
  await send(`${PATH}/signout`);
  location.reload();
});

// The console prints the address with the code behind a #: that part never leaves the browser.
byId("setup-code").value = location.hash.slice(1);
open();
