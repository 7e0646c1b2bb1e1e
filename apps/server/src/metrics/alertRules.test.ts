import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readMetrics } from '../../test/readMetrics.ts'
import { startTestServer } from '../../test/startTestServer.ts'

test('default: the metrics of the documented alert rules exist', async () => {
  const inTheDocs = join(import.meta.dirname, '../../../../docs/self-hosting.md')
  const [, rules = ''] = /```yaml\ngroups:([^`]*)```/.exec(readFileSync(inTheDocs, 'utf8')) ?? []
  const named = [...new Set(rules.match(/latchkey_\w+/g))]
  expect(named.length).toBeGreaterThan(3)
  const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
  onTestFinished(server.stop)
  const metrics = await readMetrics(server.url)
  expect(named.filter((name) => !metrics.includes(`# TYPE ${name} `))).toEqual([])
})
