import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fillTemplateParts,
  formatMarkdownCode,
  formatMarkdownCodeTabs,
  markdownTable,
  parseGuideSections,
  renderMarkdown,
} from './markdown.ts'

const read = (markdown: string) => renderMarkdown(markdown, { here: () => '<hr>' })

test('reads sections with a title, an id and a group', () => {
  const sections = parseGuideSections('# Title\nlost\n# G\n## One {#one}\na\n\n# H\n## Two & {#two}\nb\n')
  assert.deepEqual(sections, [
    { id: 'one', title: 'One', group: 'G', markdown: 'a' },
    { id: 'two', title: 'Two &', group: 'H', markdown: 'b' },
  ])
  assert.throws(() => parseGuideSections('## No id\n'), /without an id/)
})

test('parts are filled in as markdown, indented as their place', () => {
  const parts = {
    here: () =>
      formatMarkdownCodeTabs([
        { label: 'A', code: '1\n\n2' },
        { label: 'B', code: '3' },
      ]),
  }
  assert.equal(
    fillTemplateParts('1. a\n\n   {{here}}\n', parts),
    '1. a\n\n   ```A\n   1\n\n   2\n   ```\n   ```B\n   3\n   ```\n',
  )
  assert.equal(fillTemplateParts('{{other}}', parts), '{{other}}')
  assert.match(
    renderMarkdown(fillTemplateParts('1. a\n\n   {{here}}\n', parts), {}),
    /^<ol>.*type="radio".*type="radio".*<\/li><\/ol>$/s,
  )
  assert.match(renderMarkdown(markdownTable(['a'], [['x | y']]), {}), /<td>x \| y<\/td>/)
  assert.equal(formatMarkdownCode('a\n', 'L'), '```L\na\n```')
})

test('renders paragraphs, emphasis and links, and escapes everything else', () => {
  assert.equal(
    read('one\ntwo `a<b` **c**\n\n<b>&'),
    '<p>one two <code>a&lt;b</code> <strong>c</strong></p>\n<p>&lt;b&gt;&amp;</p>',
  )
  assert.equal(read('[x](#y) [z](javascript:1)'), '<p><a href="#y">x</a> [z](javascript:1)</p>')
  assert.equal(read('[z][e] ![p](https://e.example/p)\n\n[e]: javascript:1'), '<p>[z][e] ![p](https://e.example/p)</p>')
  assert.equal(read('<script>\n1\n</script>'), '&lt;script&gt;\n1\n&lt;/script&gt;')
  assert.equal(read('> careful\n> please'), '<p class="note">careful please</p>')
  assert.equal(read('### Sub'), '<h3>Sub</h3>')
})

test('list items may continue on the next line and contain code', () => {
  assert.equal(read('- a\n- b'), '<ul><li><p>a</p></li><li><p>b</p></li></ul>')
  assert.equal(read('- a\n  goes on\n- b'), '<ul><li><p>a goes on</p></li><li><p>b</p></li></ul>')
  assert.equal(read('1. a\n   goes on\n2. b'), '<ol><li><p>a goes on</p></li><li><p>b</p></li></ol>')
  assert.match(
    read('1. a\n\n   ```sh\n   x\n   ```\n\n2. b'),
    /^<ol><li><p>a<\/p>\n<div class="code">.*x.*<\/li><li><p>b<\/p><\/li><\/ol>$/s,
  )
})

test('one code block has a label, adjacent ones become tabs', () => {
  assert.match(
    read('```JSON\n{"a": "<"}\n```'),
    /<p class="label">JSON<\/p><pre tabindex="0"><code>\{&quot;a&quot;: &quot;&lt;&quot;\}<\/code>/,
  )
  const tabs = read('```A\n1\n```\n```B\n2\n```')
  assert.equal(tabs.match(/type="radio"/g)?.length, 2)
  assert.equal(tabs.match(/ checked/g)?.length, 1)
})

test('renders tables and parts', () => {
  assert.match(read('| a | b |\n|---|---|\n| 1 | `2` |'), /<td>1<\/td><td><code>2<\/code><\/td>/)
  assert.equal(read('{{here}}'), '<hr>')
  assert.throws(() => read('{{gone}}'), /unknown part/)
})
