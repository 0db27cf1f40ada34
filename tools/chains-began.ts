/** Local chains begin 100 days ago (Unix seconds), so that a demo has a past to live in: blocks never go back in time. */
export const chainsBegan = (): number => Math.floor(Date.now() / 1000) - 100 * 86_400
