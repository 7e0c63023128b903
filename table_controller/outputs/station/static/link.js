// The line to the table: server-sent events, and the plain word when they stop coming.

const SILENCE_MS = 1500; // the table beats twice a second
const LOOK_MS = 250;
const AGAIN_MS = 1000;

/**
 * Follow a stream for ever.
 * onTable(view): the table as it is now. onLost(lost): the line broke, or is back.
 * onRefused(): the station turned this browser away; nothing more comes until follow() is called.
 */
export function follow(path, accessPath, isAllowed, { onTable, onLost, onRefused }) {
  let source = null;
  let heardAt = performance.now();
  let lost = false;

  const setLost = (now) => {
    if (lost !== now) onLost((lost = now));
  };
  const heard = () => {
    heardAt = performance.now();
    setLost(false);
  };
  const connect = () => {
    source = new EventSource(path);
    source.addEventListener("beat", heard);
    source.addEventListener("table", (message) => {
      onTable(JSON.parse(message.data));
      heard();
    });
    source.addEventListener("gone", restart);
    source.onerror = () => {
      setLost(true);
      restart();
    };
  };
  async function restart() {
    source?.close();
    source = null;
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    try {
      const answer = await fetch(accessPath, { cache: "no-store" });
      if (answer.ok && !isAllowed(await answer.json())) {
        clearInterval(watch);
        setLost(false);
        onRefused();
        return;
      }
    } catch {
      // Not there yet: the next try will tell.
    }
    heardAt = performance.now();
    connect();
  }
  const watch = setInterval(() => {
    if (source && performance.now() - heardAt > SILENCE_MS) {
      setLost(true);
      if (performance.now() - heardAt > 3 * SILENCE_MS) restart();
    }
  }, LOOK_MS);
  connect();
}

/** Send JSON; gives the answer, or an `error` in words when there is none. */
export async function send(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch {
    return { error: "The table was not reached: nothing was done." };
  }
}

/** What went wrong with a request, in words; empty when nothing did. */
export const complaint = (answer) => answer.error ?? (answer.accepted === false ? answer.why : "");
