import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyIp, deviceName, forwardedIp, networkKey, plainIp, toIpRateLimitKey } from './visitor.ts'

const agents: [string, string][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome, Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari, macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari, iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  ['curl/8.5.0', ''],
  ['', ''],
  ['<img src=x onerror=alert(1)>', ''],
]

test('deviceName maps User-Agents to short known names', () => {
  for (const [agent, name] of agents) assert.equal(deviceName(agent), name, agent)
})

test('plainIp normalises addresses', () => {
  assert.equal(plainIp('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(plainIp('2001:DB8:0:0::1'), '2001:db8::1')
  assert.equal(plainIp('nonsense'), 'nonsense')
})

test('ipKey groups by IPv4 address or IPv6 /64', () => {
  assert.equal(toIpRateLimitKey('203.0.113.9'), toIpRateLimitKey('::ffff:203.0.113.9'))
  assert.notEqual(toIpRateLimitKey('203.0.113.9'), toIpRateLimitKey('203.0.113.10'))
  assert.equal(toIpRateLimitKey('2001:db8:1:2:3:4:5:6'), toIpRateLimitKey('2001:db8:1:2::1'))
  assert.notEqual(toIpRateLimitKey('2001:db8:1:2::1'), toIpRateLimitKey('2001:db8:1:3::1'))
})

test('networkKey groups by IPv4 /24 or IPv6 /48', () => {
  assert.equal(networkKey('203.0.113.9'), '203.0.113.0/24')
  assert.equal(networkKey('::ffff:203.0.113.200'), '203.0.113.0/24')
  assert.equal(networkKey('2001:db8:1:2:3:4:5:6'), networkKey('2001:db8:1:ffff::1'))
  assert.notEqual(networkKey('2001:db8:1::1'), networkKey('2001:db8:2::1'))
  assert.equal(networkKey('nonsense'), 'nonsense')
})

test('only reserved internal ranges count as private', () => {
  for (const ip of [
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '100.64.0.1',
  ])
    assert.equal(classifyIp(ip), 'private', ip)
  for (const ip of ['8.8.8.8', '2606:4700::1', 'nonsense', '']) assert.equal(classifyIp(ip), 'unknown', ip)
})

test('forwardedIp reads an address with or without a port, and nothing else', () => {
  for (const [entry, ip] of [
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7:61598 ', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:443', '::ffff:203.0.113.7'],
  ] as const)
    assert.equal(forwardedIp(entry), ip, entry)
  for (const entry of [
    '',
    'unknown',
    '203.0.113.7:',
    '203.0.113.7:x',
    '203.0.113.999:80',
    '203.0.113:80',
    '0x7f.1',
    '[203.0.113.7]:80',
    '[2001:db8::1',
    '[2001:db8::g]:443',
    `203.0.113.7:${'0'.repeat(99)}`,
    'for=203.0.113.7',
  ])
    assert.equal(forwardedIp(entry), undefined, entry)
})
