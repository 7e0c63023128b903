// The words for what the table tells in names.

export const PHASES = {
  closed: "Closed",
  inspection: "Inspection",
  shuffle: "Shuffle",
  approval: "Approval",
  cut: "Cut",
  burn: "Burn",
  wagers: "Wagers open",
  dealing: "No more wagers",
  reveal: "No more wagers",
  result: "Result",
  ruling: "Stopped",
  reshuffle: "Shoe ended",
};

export const SIDES = { player: "Player", banker: "Banker", tie: "Tie" };

const RANKS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
  9: "nine", T: "ten", J: "jack", Q: "queen", K: "king",
};
const SUIT_WORDS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const SUIT_SIGNS = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E" };

export const RANK_ORDER = [..."A23456789TJQK"];
export const SUIT_ORDER = [..."SHCD"];

export const rankText = (rank) => (rank === "T" ? "10" : rank);
export const suitSign = (suit) => SUIT_SIGNS[suit];
export const isRed = (suit) => suit === "H" || suit === "D";
export const cardWords = (name) => `${RANKS[name[0]]} of ${SUIT_WORDS[name[1]]}`;
export const cardShort = (name) => rankText(name[0]) + suitSign(name[1]);
export const spotWords = (spot) => spot.replaceAll("_", " ");
export const money = (cents) =>
  (cents / 100).toLocaleString("en", { minimumFractionDigits: cents % 100 ? 2 : 0 });
