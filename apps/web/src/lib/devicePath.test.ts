import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathForDevice } from './devicePath.ts'

test('each device is redirected to its variant of a path', () => {
  const has = {
    phone: (path: string) => path === '/' || path === '/record',
    desktop: (path: string) => path === '/' || path === '/record' || path === '/statistics',
  }
  assert.equal(pathForDevice('/', true, has), '/m/')
  assert.equal(pathForDevice('/record', true, has), '/m/record')
  assert.equal(pathForDevice('/statistics', true, has), null)
  assert.equal(pathForDevice('/m/record', true, has), null)
  assert.equal(pathForDevice('/m/', true, has), null)
  assert.equal(pathForDevice('/m', true, has), null)
  assert.equal(pathForDevice('/m/statistics', true, has), '/statistics')
  assert.equal(pathForDevice('/m/nowhere', true, has), null)
  assert.equal(pathForDevice('/nowhere', true, has), null)
  assert.equal(pathForDevice('/m/record', false, has), '/record')
  assert.equal(pathForDevice('/m/', false, has), '/')
  assert.equal(pathForDevice('/m', false, has), '/')
  assert.equal(pathForDevice('/market', false, has), null)
})
