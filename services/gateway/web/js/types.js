// @ts-check
/**
 * The shapes of what goes over the socket and HTTP, as docs/protocol.md describes them.
 *
 * @typedef {{down: number, up: string[]}} ColumnView
 * @typedef {{type: "secret" | "winnable", player_seed?: string} | {type: "number", number: number, day?: string}} Deal
 *
 * @typedef {"waiting" | "running" | "won" | "lost" | "resigned" | "drawn"} Status
 *
 * The other side of a game for two.
 * @typedef {object} Opponent
 * @property {ColumnView[]} columns
 * @property {string[][]} foundations
 * @property {number} stock
 * @property {string[]} waste
 * @property {number} pass_number
 * @property {number} cards_up
 * @property {Status} status
 * @property {number | null} away_since
 * @property {number | null} claim_at
 *
 * @typedef {object} Duel
 * @property {number | null} seat null: somebody who watches
 * @property {Status} status of the own side
 * @property {number} cards_up
 * @property {boolean} shared
 * @property {number} expires_at
 * @property {string | null} code
 * @property {Opponent | null} opponent
 *
 * @typedef {object} View
 * @property {string} game
 * @property {number} version
 * @property {string} variant
 * @property {string} scoring
 * @property {"ranked" | "relaxed"} mode
 * @property {Deal} deal
 * @property {string} commitment
 * @property {Status} status
 * @property {ColumnView[]} columns
 * @property {string[][]} foundations
 * @property {number} stock
 * @property {string[]} waste
 * @property {number} [unseen] on a table that is only foreseen: drawn cards on the waste that the server has not told yet
 * @property {number} draw
 * @property {"waste" | "columns"} draws_to
 * @property {number} pass_number
 * @property {number | null} passes
 * @property {number} points
 * @property {number} moves
 * @property {number} play_ms
 * @property {boolean} clock_runs
 * @property {number} at
 * @property {boolean} assisted
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 * @property {string[]} legal
 * @property {boolean} stuck nothing changes any more, whatever lies face down
 * @property {string} secret
 * @property {"player" | "absence" | null} paused
 * @property {Duel} [duel] of games for two
 *
 * @typedef {{type: string} & Record<string, any>} GameEvent
 * @typedef {{code: string, text: string, fix: string, field?: string, rule?: string}} ServerError
 *
 * A frame of the server; which fields it has depends on `type`.
 * @typedef {object} Frame
 * @property {string} type
 * @property {string} [game]
 * @property {number} [version]
 * @property {string | null} [command]
 * @property {number} [at]
 * @property {GameEvent[]} [events]
 * @property {number} [seat] of games for two: whose command it was
 * @property {View} [view]
 * @property {{version: number, command: string, at: number, events: GameEvent[]}[] | null} [steps]
 * @property {ServerError} [error]
 * @property {string} [player]
 * @property {string} [token]
 * @property {string} [server]
 * @property {string} [page] version of the page's files that the server has
 * @property {number} [ping_ms]
 *
 * @typedef {object} Choice
 * @property {string} variant
 * @property {string} scoring
 * @property {"ranked" | "relaxed"} mode
 * @property {Deal | {type: "daily", day?: string}} [deal]
 * @property {"invite" | "match" | "easy" | "hard"} [against] of games for two: how the other player is found; the computer at a level
 *
 * @typedef {{type: "lost"}
 *   | {type: "estimate", samples: number, winnable: number, undecided: number, low: number, high: number, exact: boolean}
 * } Chances
 * @typedef {{move: string, reason: string, cards: string[]}} Suggestion
 * @typedef {{suggestions: Suggestion[], then: string[], version: number}} Hint the best one first; `then` goes on from it
 */
export {};
