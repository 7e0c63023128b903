// The page of the simulated shoe: what the dealer made of code does, and buttons that ask it for more.

const show = state => {
  document.getElementById("doing").textContent = (state.running ? "" : "(paused) ") + state.doing;
  document.getElementById("asked").textContent = state.asked.join(", ") || "nothing";
};
const ask = async (url, method) => {
  try {
    const answer = await fetch(url, { method });
    if (answer.ok) show(await answer.json());
  } catch {
    document.getElementById("doing").textContent = "is gone: the table's program does not answer";
  }
};
for (const button of document.querySelectorAll("button[data-post]"))
  button.addEventListener("click", () => ask(button.dataset.post, "POST"));
setInterval(() => ask("/sim/state", "GET"), 700);
ask("/sim/state", "GET");
