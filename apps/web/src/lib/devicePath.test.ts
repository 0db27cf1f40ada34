import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathForDevice } from './devicePath.ts'

test('each device is redirected to its variant of a path', () => {
  for (const [path, phone, wanted] of [
    ['/', true, '/m/'],
    ['/record', true, '/m/record'],
    ['/record', false, null],
    ['/m/record', true, null],
    ['/m/', true, null],
    ['/m', true, null],
    ['/market', false, null],
    ['/m/record', false, '/record'],
    ['/m/', false, '/'],
    ['/m', false, '/'],
    ['/nowhere', true, '/m/nowhere'],
  ] as const)
    assert.equal(pathForDevice(path, phone), wanted, `${path} on a ${phone ? 'phone' : 'desktop'}`)
})
