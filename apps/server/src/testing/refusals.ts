import type { RoutePolicy } from '../http/doors.ts'

/** Whether an answer is a refusal, by the form of its route. */
export const isRefusal: Record<RoutePolicy['refusal'], (answer: { statusCode: number; body: string }) => boolean> = {
  envelope: ({ statusCode, body }) => statusCode >= 400 && Number.isInteger(JSON.parse(body).code),
  page: ({ statusCode, body }) => statusCode >= 400 && body.startsWith('<!doctype html>'),
  epay: ({ statusCode, body }) => statusCode === 200 && JSON.parse(body).code === -1,
  epusdt: ({ body }) => JSON.parse(body).status_code >= 400,
  greenfield: ({ statusCode, body }) =>
    statusCode >= 400 && (Array.isArray(JSON.parse(body)) || typeof JSON.parse(body).code === 'string'),
  coinbase: ({ statusCode, body }) => statusCode >= 400 && typeof JSON.parse(body).error.type === 'string',
  mcp: ({ statusCode, body }) => statusCode >= 400 && JSON.parse(body).error.code < 0,
}
