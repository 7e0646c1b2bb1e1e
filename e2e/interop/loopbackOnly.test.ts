import { expect, test } from 'vitest'
import { takeForeignHosts } from './loopbackOnly.ts'

test('behavior: a request to another machine is stopped and found', async () => {
  await expect(fetch('https://relay.example/')).rejects.toThrow('fetch failed')
  expect(takeForeignHosts()).toEqual(['relay.example'])
})
