// Making and changing elements: small helpers, always by text, never by markup.

export const byId = (id) => document.getElementById(id);

/** A new element. Keys of `props` are properties, `class`, or attributes with a dash. */
export function make(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key === "class") element.className = value;
    else if (key.includes("-")) element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

/** Set a text only when it differs, so that a screen reader is not told twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const drawn = new WeakMap();

/** Draw into `element` again only when `data` is not what was drawn last. */
export function redraw(element, data, draw) {
  const key = JSON.stringify(data ?? null);
  if (drawn.get(element) === key) return;
  drawn.set(element, key);
  element.replaceChildren(...draw(data));
}
