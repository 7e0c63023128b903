// The steps of a guided procedure: what to do, what is done, when and by whom it was signed.

import { make } from "./dom.js";

let aheadMs = null;
let sinceUs = 0;

/** Learn how the table's clock stands to the wall's; asked again after every break of the line. */
export async function setClock(path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) return;
    const { now_us: nowUs, since_us: since } = await answer.json();
    aheadMs = Date.now() - nowUs / 1000;
    sinceUs = since;
  } catch {
    // Without it the steps stand there without their times.
  }
}

/** The time of day of something at the table; of an earlier run only that it was earlier. */
function timeWords(atUs) {
  if (aheadMs === null) return "";
  if (atUs < sinceUs) return "before the last start";
  const time = new Date(aheadMs + atUs / 1000);
  return time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** How a step was done, the supervisor who signed it, and when, in a few words. */
export const signature = ({ by, how, at_us: atUs }) =>
  atUs === null ? "" : [how && `by ${how}`, by, timeWords(atUs)].filter(Boolean).join(", ");

/** The list items of a procedure's steps, the next one marked. */
export function stepItems(steps) {
  const current = steps.findIndex((step) => !step.done);
  return steps.map((step, index) => {
    const signed = step.done ? signature(step) : step.waivable ? "a supervisor may waive it" : "";
    const item = make(
      "li",
      { class: step.done ? "done" : "" },
      step.text,
      ...(signed ? [make("span", { class: "signed" }, ` ${signed}`)] : []),
    );
    if (index === current) item.setAttribute("aria-current", "step");
    return item;
  });
}
