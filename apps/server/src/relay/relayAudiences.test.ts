import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { relayAudiences } from './relayAudiences.ts'

test('default: loopback by all its names, as WebSocket and as HTTP', () => {
  expect(relayAudiences(readConfig({ PORT: '5555' })).sort()).toEqual([
    'http://127.0.0.1:5555',
    'http://[::1]:5555',
    'http://localhost:5555',
    'ws://127.0.0.1:5555',
    'ws://[::1]:5555',
    'ws://localhost:5555',
  ])
})

test('param: PUBLIC_URL and RELAY_AUDIENCES come with it', () => {
  const audiences = relayAudiences(
    readConfig({
      PUBLIC_URL: 'https://relay.example',
      RELAY_AUDIENCES: 'wss://old.example,wss://relay.example/v2',
    }),
  )
  for (const one of ['https://relay.example', 'wss://relay.example', 'ws://localhost:3000'])
    expect(audiences).toContain(one)
  expect(audiences.slice(-2)).toEqual(['wss://old.example', 'wss://relay.example/v2'])
  expect(audiences).not.toContain('ws://relay.example')
})

test('behavior: a loopback PUBLIC_URL of another port goes by all its names too', () => {
  const audiences = relayAudiences(readConfig({ PUBLIC_URL: 'http://127.0.0.1:8080' }))
  expect(audiences).toContain('ws://localhost:8080')
  expect(audiences).toContain('ws://localhost:3000')
})

test('param: HOST: listening everywhere, the addresses of the machine are names of it', () => {
  const audiences = relayAudiences(readConfig({ HOST: '0.0.0.0' }))
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    if (family === 'IPv4') expect(audiences).toContain(`ws://${address}:3000`)
})
