// @ts-check
/** The key that lets this page in. It is kept in the storage of the page's own origin, which no other port can read. */

/** How often an open page asks for a new key, in milliseconds; one is good for two hours. */
export const RENEW_EVERY = 600_000;
const NAME = "hierq lab key";

/** @returns {string} */
export function storedKey() {
  return localStorage.getItem(NAME) ?? "none";
}

/** Gets a new key for the token of the address, which is taken out of it, or for the key there is. */
export async function renewKey() {
  const token = new URLSearchParams(location.search).get("token");
  try {
    const answer = await fetch("/key", { cache: "no-store", headers: { Authorization: `Bearer ${token ?? storedKey()}` } });
    if (answer.ok) localStorage.setItem(NAME, (await answer.json()).key);
    if (token !== null) history.replaceState(null, "", location.pathname + location.hash);
  } catch {
    // The server is away; the socket tells.
  }
}
