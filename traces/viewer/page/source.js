// Where the page gets a run from: the viewer's server, a folder on any file server read by ranges, or this very file.
// All three answer the same names ("runs", "RUN/overview", "RUN/steps/12", "RUN/blobs/DIGEST") with the same bytes.

import { keyOfPage, sendAnswer } from "./answer_key.js";

/** @import { PackedPlace, Read, Source } from "./types.d.ts" */

const MOST_PICTURES = 160;
const PICTURE = /^image\/(png|webp|jpeg|gif)$/;

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {Record<string, PackedPlace>} Index */

/** @returns {Source} */
export function openSource() {
  const kind = document.documentElement.dataset.source ?? "server";
  const openings = { server: fromServer, static: fromFolder, embedded: fromThisPage };
  const read = openings[/** @type {keyof typeof openings} */ (kind)]();
  const bytes = async (/** @type {string} */ run, /** @type {string} */ digest) =>
    (await read(nameOf(run, "blobs", digest))).data;
  return {
    kind,
    isLive: kind === "server",
    bytes,
    text: async (run, digest) => decoded(await bytes(run, digest)),
    json: async (...parts) => JSON.parse(decoded((await read(nameOf(...parts))).data)),
    pictureUrl: picturesOf(read),
    asks: document.documentElement.dataset.asks !== undefined,
    mayAnswer: () => keyOfPage() !== "",
    answer: sendAnswer,
  };
}

/** @param {...(string | number)} parts */
function nameOf(...parts) {
  return parts.map(String).join("/");
}

/** @param {Bytes} data */
function decoded(data) {
  return new TextDecoder().decode(data);
}

/**
 * Addresses of pictures; those used longest ago are given up.
 * @param {Read} read
 * @returns {(run: string, digest: string) => Promise<string>}
 */
function picturesOf(read) {
  /** @type {Map<string, string>} */
  const urls = new Map();
  return async (run, digest) => {
    const name = nameOf(run, "blobs", digest);
    const known = urls.get(name);
    if (known !== undefined) return known;
    const { data, media } = await read(name);
    if (!PICTURE.test(media)) throw new Error("this is no picture");
    const url = URL.createObjectURL(new Blob([data], { type: media }));
    urls.set(name, url);
    const [[oldest, gone]] = urls;
    if (urls.size > MOST_PICTURES) {
      URL.revokeObjectURL(gone);
      urls.delete(oldest);
    }
    return url;
  };
}

/** @returns {Read} */
function fromServer() {
  return async (name) => {
    const answer = await fetch(`api/${name.split("/").map(encodeURIComponent).join("/")}`);
    if (!answer.ok) throw new Error((await answer.text()).trim() || `the viewer answered ${answer.status}`);
    return { data: new Uint8Array(await answer.arrayBuffer()), media: answer.headers.get("Content-Type") ?? "" };
  };
}

/** @returns {Read} */
function fromFolder() {
  const index = fetch("index.json").then((answer) => answer.json());
  /** @type {{ whole: Bytes | null }} */
  const kept = { whole: null };
  return packed(index, async (start, size) => {
    if (kept.whole) return kept.whole.subarray(start, start + size);
    const answer = await fetch("runs.pack", { headers: { Range: `bytes=${start}-${start + size - 1}` } });
    if (!answer.ok) throw new Error(`the file server answered ${answer.status}`);
    const data = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 206) return data;
    kept.whole = data; // a server that knows no ranges has sent everything
    return data.subarray(start, start + size);
  });
}

/** @returns {Read} */
function fromThisPage() {
  const index = Promise.resolve(JSON.parse(textOf("pack-index")));
  const pack = textOf("pack");
  return packed(index, async (start, size) =>
    Uint8Array.from(atob(pack.slice(start, start + size)), (letter) => letter.charCodeAt(0)),
  );
}

/** @param {string} id */
function textOf(id) {
  return document.getElementById(id)?.textContent ?? "";
}

/**
 * @param {Promise<Index>} index
 * @param {(start: number, size: number) => Promise<Bytes>} part
 * @returns {Read}
 */
function packed(index, part) {
  return async (name) => {
    const place = (await index)[name];
    if (!place) throw new Error("the recorded value is missing");
    const [start, size, media, isCompressed] = place;
    const data = await part(start, size);
    if (!isCompressed) return { data, media };
    const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
    return { data: new Uint8Array(await new Response(stream).arrayBuffer()), media };
  };
}
