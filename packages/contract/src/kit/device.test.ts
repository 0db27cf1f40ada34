import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPhoneAgent } from './device.ts'

const agents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  androidTablet: 'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
}

test('recognises phones by user agent, but not tablets or computers', () => {
  assert.equal(isPhoneAgent(agents.iphone), true)
  assert.equal(isPhoneAgent(agents.android), true)
  assert.equal(isPhoneAgent(agents.androidTablet), false)
  assert.equal(isPhoneAgent(agents.mac), false)
})
