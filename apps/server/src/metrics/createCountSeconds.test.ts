import fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createCountSeconds } from './createCountSeconds.ts'

const observation = fc.record({
  labels: fc.record({
    method: fc.constantFrom('GET', 'POST'),
    route: fc.constantFrom('/', '/v1/account/:address/balance', 'unmatched', '"\\\n'),
    status: fc.constantFrom('200', '404', '500'),
  }),
  ms: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 20_000 }), fc.constantFrom(1, 5, 10, 50, 10_000)),
})

test('behavior: the counts equal the counts of a prom-client histogram', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(observation, { maxLength: 40 }), async (observations) => {
      const [own, theirs] = [new Registry(), new Registry()]
      const countSeconds = createCountSeconds(own)
      const histogram = new Histogram({
        name: 'latchkey_http_request_duration_seconds',
        help: 'Duration of HTTP requests by route template',
        labelNames: ['method', 'route', 'status'] as const,
        buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
        registers: [theirs],
      })
      for (const { labels, ms } of observations) {
        countSeconds(labels)(ms / 1000)
        histogram.observe(labels, ms / 1000)
      }
      expect(await own.metrics()).toBe(await theirs.metrics())
    }),
  )
})

test('behavior: an existing counter keeps counting after a reset', async () => {
  const registry = new Registry()
  const count = createCountSeconds(registry)({ method: 'GET', route: '/', status: '200' })
  count(0.002)
  registry.resetMetrics()
  count(0.003)
  const text = await registry.metrics()
  expect(text).toContain('_sum{method="GET",route="/",status="200"} 0.003')
  expect(text).toContain('_count{method="GET",route="/",status="200"} 1')
})
