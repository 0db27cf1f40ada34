import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mainnets } from '@coffer/chains'
import { isPricedSymbol } from './symbols.ts'

test('every coin and token of a known chain has its price followed', () => {
  for (const { native, tokens } of Object.values(mainnets))
    for (const { symbol } of [native, ...tokens]) assert.ok(isPricedSymbol(symbol), symbol)
})
