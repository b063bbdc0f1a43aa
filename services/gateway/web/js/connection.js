// @ts-check
/**
 * The socket, kept alive: it reconnects with growing, jittered pauses, follows the game again from the version it has,
 * and sends every command that has no answer once more with the same id, so that none is lost and none done twice.
 */

import { newId } from "./ids.js";
import { pageVersion } from "./shell.js";
import { remember, remembered } from "./storage.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {{type?: string, game: string, version: number}} Point `type`: `resume`, or `watch` for the game of others */
/** @typedef {{frame: {id: string, type: string}, tries: number, resolve: (answer: Frame) => void}} Pending */

const PROTOCOL = "klondike.v1.json";
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 8_000;
const OPEN_MS_MAX = 8_000;
/** How often a command is sent again after an answer that says "not now" or "nobody knows". */
const TRIES_MAX = 8;
const TRY_AGAIN = new Set(["unavailable", "outcome-unknown", "too-many-requests", "going-away", "not-signed-in"]);
/** After so many tries of one command the player is told. */
const TRIES_UNTOLD = 2;
/** After so many connections in a row that came to nothing it is asked over HTTP whether the server is there. */
const BLOCKED_FAILURES = 2;
/** The server lets nobody in who comes like this; it goes on being tried, but the player is told why. */
const TURNED_AWAY = new Set(["protocol-unsupported", "origin-refused", "frame-too-large", "too-slow"]);

/**
 * Events: `state` (connecting, online, busy: the server cannot do something just now, offline), `frame` (every frame
 * about a game), `stranger` (the token was not known any more: a new player has been made), `outdated` (the server has
 * another version of the page), `turned-away` (detail: the error), `blocked` (the server is there, but lets no socket be opened, or
 * something on the way does not).
 */
export class Connection extends EventTarget {
  /** @param {string} url */
  constructor(url) {
    super();
    this.url = url;
    this.state = "connecting";
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, Pending>} in the order they were sent */
    this.pending = new Map();
    /** What to follow again after a break. @type {() => Point | null} */
    this.resumePoint = () => null;
    this.player = "";
    this.token = remembered("token");
    this.failures = 0;
    this.heardAt = 0;
    this.pingMs = 5_000;
    this.signedIn = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    addEventListener("online", () => this.hurry());
    addEventListener("pagehide", () => this.socket?.close()); // a page that the browser keeps for "back" is left, too
    addEventListener("pageshow", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  open() {
    clearTimeout(this.timer);
    this.signedIn = false;
    const socket = opened(this.url);
    this.socket = socket;
    if (!socket) return this.again();
    this.timer = setTimeout(() => this.lost(socket), OPEN_MS_MAX);
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify(this.token ? { type: "hello", token: this.token } : { type: "hello" }));
    });
    socket.addEventListener("message", (event) => socket === this.socket && this.received(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.lost(socket));
    socket.addEventListener("error", () => this.lost(socket)); // where a policy forbids the socket, nothing else comes
  }

  /**
   * Send a command; it stays until it is answered, over as many connections as that takes.
   * @param {{type: string, id?: string} & Record<string, any>} command
   * @returns {Promise<Frame>}
   */
  request(command) {
    const frame = { ...command, id: command.id ?? newId() };
    return new Promise((resolve) => {
      this.pending.set(frame.id, { frame, tries: 0, resolve });
      if (this.signedIn) this.send(frame);
    });
  }

  /** Follow no longer. @param {string} game */
  leave(game) {
    if (this.signedIn) this.send({ type: "leave", game });
  }

  /** Ask for everything since the version that we have. @param {Point} point */
  resume(point) {
    return this.request({ type: "resume", ...point });
  }

  /** @param {object} frame */
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** @param {Frame} frame */
  received(frame) {
    this.heardAt = performance.now();
    if (frame.type === "pong") return;
    if (frame.type === "welcome") return this.welcomed(frame);
    if (frame.error?.code === "bad-token") {
      this.dispatchEvent(new Event("stranger"));
      return this.forgotten();
    }
    if (frame.type === "bye") return this.farewell(frame);
    const pending = frame.command ? this.pending.get(frame.command) : undefined;
    if (pending && frame.error && mayTryAgain(pending, frame.error.code)) return this.tryAgain(pending);
    if (this.state === "busy") this.changeState("online");
    if (frame.type !== "refused") this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
    if (pending) {
      this.pending.delete(pending.frame.id);
      pending.resolve(frame);
    }
  }

  /** @param {Frame} frame */
  welcomed(frame) {
    clearTimeout(this.timer);
    this.failures = 0;
    this.signedIn = true;
    this.player = frame.player ?? "";
    this.token = frame.token ?? null;
    this.pingMs = frame.ping_ms ?? this.pingMs;
    remember("token", this.token);
    this.watch();
    this.changeState("online");
    if (frame.page && frame.page !== pageVersion) this.dispatchEvent(new Event("outdated"));
    const unanswered = [...this.pending.values()];
    const point = this.resumePoint();
    if (point) void this.resume(point);
    for (const { frame: command } of unanswered) this.send(command);
  }

  /** Ping as often as the server says; silence for twice as long means that the connection is dead. */
  watch() {
    const socket = this.socket;
    this.timer = setTimeout(() => {
      if (performance.now() - this.heardAt > 2 * this.pingMs) return socket && this.lost(socket);
      this.send({ type: "ping", nonce: 0 });
      this.watch();
    }, this.pingMs);
  }

  /** @param {Frame} frame */
  farewell({ error }) {
    if (error && TURNED_AWAY.has(error.code)) this.dispatchEvent(new CustomEvent("turned-away", { detail: error }));
  }

  /** The token is not known here: go on as a new guest. */
  forgotten() {
    this.token = null;
    remember("token", null);
    this.socket?.close();
  }

  /** @param {Pending} pending */
  tryAgain(pending) {
    pending.tries += 1;
    if (pending.tries > TRIES_UNTOLD) this.changeState("busy");
    setTimeout(() => this.pending.has(pending.frame.id) && this.signedIn && this.send(pending.frame), pause(pending.tries));
  }

  /** @param {WebSocket} socket */
  lost(socket) {
    if (socket !== this.socket) return;
    clearTimeout(this.timer);
    this.socket = null;
    this.signedIn = false;
    socket.close();
    this.again();
  }

  /** Try it once more after a while. */
  again() {
    this.changeState("offline");
    this.timer = setTimeout(() => this.open(), pause(this.failures));
    this.failures += 1;
    if (this.failures === BLOCKED_FAILURES) void this.askWhy();
  }

  /** Whether the server is there all the same. */
  async askWhy() {
    const answer = await fetch("healthz", { cache: "no-store" }).catch(() => null);
    if (answer?.ok && !this.signedIn) this.dispatchEvent(new Event("blocked"));
  }

  /** The network is back, or the player is: don't wait for the pause to end. */
  hurry() {
    if (this.state === "offline" && !this.socket) this.open();
  }

  /** @param {string} state */
  changeState(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

/** A socket on its way; null where the browser refuses to open any. @param {string} url */
function opened(url) {
  try {
    return new WebSocket(url, [PROTOCOL]);
  } catch {
    return null;
  }
}

/**
 * Whether a refused command is sent again. What needs a worker is not: it is quicker to play on than to wait for it.
 * @param {Pending} pending
 * @param {string} code
 */
function mayTryAgain({ frame, tries }, code) {
  const inVain = ["hint", "chances"].includes(frame.type) && code === "unavailable";
  return TRY_AGAIN.has(code) && !inVain && tries < TRIES_MAX;
}

/** @param {number} failures before this pause */
function pause(failures) {
  return Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 1.5 ** failures) * (0.5 + Math.random());
}
