import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPage } from './is-page.ts'

test('pages of proxies and logins are pages, whatever stands before them', () => {
  for (const text of [
    '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>',
    '\uFEFF\r\n  <!doctype HTML>\n<html lang="en">',
    '<html><script>document.cookie = "challenge=1"; location.reload()</script></html>',
    '<script>location.href = "/login"</script>',
    '<!-- protected --> <!-- by a proxy -->\n<HTML>',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">',
    '<head>',
    '<meta http-equiv="refresh" content="0">',
  ])
    assert.equal(isPage(text), true, text)
})

test('what the servers of merchants answer is none', () => {
  for (const text of [
    '',
    'ok',
    'success',
    '-1',
    '{"ok":true}',
    '"<html>"',
    '<xml><return_code>SUCCESS</return_code></xml>',
    '<?xml version="1.0"?><response>ok</response>',
    '<headers/>',
    '<br />\n<b>Deprecated</b>: a notice of PHP\nok',
    '<!-- never ends',
    '<',
  ])
    assert.equal(isPage(text), false, text)
})
