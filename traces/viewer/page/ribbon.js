// The whole walk at a glance: a bar for each step, as high as the trust in its text, and the threshold across.

import { h } from "./dom.js";
import { kindOf } from "./timeline.js";

const HEIGHT = 46;

export function ribbon({ onChoose }) {
  let rows = [];
  let chosen = null;
  const canvas = h("canvas", { class: "ribbon", "aria-hidden": "true", onclick: pick, onpointermove: hint });
  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  function at(event) {
    const box = canvas.getBoundingClientRect();
    return rows[Math.min(rows.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * rows.length)))];
  }

  function pick(event) {
    const row = at(event);
    if (row) onChoose(row.step);
  }

  function hint(event) {
    const row = at(event);
    canvas.title = row ? `${row.step}  ${row.title || row.url}${row.trust >= 0 ? `\ntrust ${row.trust} of 100` : `\n${row.why}`}` : "";
  }

  function draw() {
    const width = canvas.clientWidth;
    if (!width) return;
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = HEIGHT * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const colours = Object.fromEntries(["bad", "off", "good", "look", "glance", "read"].map((kind) => [kind, resolved(canvas, colour(kind))]));
    const each = Math.min(48, width / Math.max(1, rows.length));
    const gap = each > 4 ? 2 : each > 2 ? 1 : 0;
    rows.forEach((row, place) => {
      const high = row.trust >= 0 ? Math.max(3, (row.trust / 100) * (HEIGHT - 8)) : 6;
      pen.fillStyle = colours[kindOf(row)];
      pen.globalAlpha = row.step === chosen ? 1 : 0.62;
      pen.beginPath();
      pen.roundRect(place * each, HEIGHT - high, Math.max(1, each - gap), high, each > 6 ? 2 : 0);
      pen.fill();
      if (row.step === chosen) {
        pen.fillStyle = resolved(canvas, colour("ink"));
        pen.fillRect(place * each, 0, Math.max(2, each - gap), 3);
      }
    });
    canvas.style.setProperty("--across", `${rows.length * each}px`);
    const threshold = rows.find((row) => row.threshold)?.threshold;
    if (threshold) {
      pen.globalAlpha = 0.5;
      pen.strokeStyle = resolved(canvas, colour("ink"));
      pen.setLineDash([3, 4]);
      const y = HEIGHT - (threshold / 100) * (HEIGHT - 8);
      pen.beginPath();
      pen.moveTo(0, y);
      pen.lineTo(Math.min(width, rows.length * each), y);
      pen.stroke();
    }
  }

  return {
    node: canvas,
    show: (next) => { rows = next; draw(); },
    choose: (step) => { chosen = step; draw(); },
  };
}

// A canvas takes no light-dark(): the browser resolves it on a node.
function resolved(near, colour) {
  const probe = h("i", { style: { color: colour, display: "none" } });
  near.parentNode?.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
