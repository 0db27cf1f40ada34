import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPhoneAgent, pathForDevice } from './device.ts'

const agents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  androidTablet: 'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
}

test('phones are told by the user agent; tablets and computers are not phones', () => {
  assert.equal(isPhoneAgent(agents.iphone), true)
  assert.equal(isPhoneAgent(agents.android), true)
  assert.equal(isPhoneAgent(agents.androidTablet), false)
  assert.equal(isPhoneAgent(agents.mac), false)
})

test('each device is sent to its variant of a path, and left alone when it is there', () => {
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
