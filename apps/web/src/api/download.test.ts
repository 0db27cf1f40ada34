import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAttachmentFileName, readBlob } from './download.ts'
import { RequestUnanswered } from './failure.ts'

test('the file name is read from Content-Disposition, the UTF-8 form first', () => {
  assert.equal(parseAttachmentFileName('attachment; filename="PaymentRecord-1.xlsx"'), 'PaymentRecord-1.xlsx')
  assert.equal(
    parseAttachmentFileName('attachment; filename="x.xlsx"; filename*=UTF-8\'\'%E8%AE%B0%E5%BD%95.xlsx'),
    '记录.xlsx',
  )
  assert.equal(parseAttachmentFileName(null), null)
})

test('progress counts bytes, with the total when the server sends it', async () => {
  const steps: [number, number | null][] = []
  const response = new Response('0123456789', { headers: { 'Content-Length': '10' } })
  const blob = await readBlob(response, { onProgress: (received, total) => steps.push([received, total]) })
  assert.equal(blob.size, 10)
  assert.deepEqual(steps.at(-1), [10, 10])
})

test('a broken or aborted download yields no file', async () => {
  const broken = () =>
    new Response(new ReadableStream({ start: controller => controller.error(new TypeError('lost')) }))
  await assert.rejects(readBlob(broken(), {}), new RequestUnanswered('network'))
  await assert.rejects(readBlob(broken(), { signal: AbortSignal.abort() }), new RequestUnanswered('aborted'))
})
