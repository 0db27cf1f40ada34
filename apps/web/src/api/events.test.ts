import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServerEventParser } from './events.ts'

test('events are parsed whole, however the stream is split', () => {
  const text = ': hello\n\nevent: payment\ndata: {"id":"1"}\n\ndata: a\ndata: b\n\nevent: lost\ndata: not finished'
  for (const size of [1, 3, 7, text.length]) {
    const reader = createServerEventParser()
    const events = []
    for (let at = 0; at < text.length; at += size) events.push(...reader.feed(text.slice(at, at + size)))
    assert.deepEqual(events, [
      { type: 'payment', data: '{"id":"1"}' },
      { type: 'message', data: 'a\nb' },
    ])
  }
})
