// The service's documents over HTTP. Every outcome is a value: what a person should see of it is decided elsewhere.

const sectionsOf = id => `/documents/${encodeURIComponent(id)}/sections`;
const sectionOf = (id, name) => `${sectionsOf(id)}/${encodeURIComponent(name)}`;

/** Seconds, where an answer that asks to come back doesn't say when. */
const defaultDelay = 2;

/**
 * @typedef {{kind: "done", body?: any} | {kind: "later", seconds: number, reason: string} | {kind: "offline"}
 *   | {kind: "refused", status: number, reason: string}} Outcome
 * @returns {Promise<Outcome>}
 */
async function request(path, options = {}) {
  try {
    const response = await fetch(path, options);
    if (response.ok) return { kind: "done", body: response.status === 204 ? undefined : await response.json() };
    const problem = await response.json().catch(() => ({}));
    const reason = sentences(problem.title ?? `The service answered ${response.status}`, problem.detail);
    return [429, 503, 504].includes(response.status) // After 504 the change may have been made; writing the same text again does no harm.
      ? { kind: "later", reason, seconds: Number(response.headers.get("Retry-After")) || defaultDelay }
      : { kind: "refused", status: response.status, reason };
  } catch {
    return { kind: "offline" }; // also an answer cut off half-way: asking again does no harm
  }
}

const sentences = (...parts) => parts.filter(Boolean).map(part => part.replace(/\.?$/, ".")).join(" ");

/** All sections of a document; none if there is no such document. */
export const readSections = id => request(sectionsOf(id));

/** Writes a section; null as its text removes it. Both can be repeated. */
export async function writeSection(id, name, text) {
  if (text !== null) return request(sectionOf(id, name), { method: "PUT", body: text, headers: { "Content-Type": "text/plain; charset=utf-8" } });
  const outcome = await request(sectionOf(id, name), { method: "DELETE" });
  return outcome.status === 404 ? { kind: "done" } : outcome;
}

/** Ids and names that can't travel in a path: clients and proxies resolve dots, encoded or not. */
export function faultOfName(name) {
  if (name === "." || name === "..") return "“.” and “..” can't be names.";
  return name.isWellFormed() ? "" : "This name has half a character in it.";
}
