import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errorStatus, errors, getRpcCode } from '@latchkey/wire'
import { expect, test } from 'vitest'

/** Every code of the error table that the server's own sources contain. */
function namedCodes(): ErrorCode[] {
  const dir = fileURLToPath(new URL('../', import.meta.url))
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) =>
      readFileSync(`${dir}/${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
    )
  const words = new Set(texts.flatMap((text) => text.match(/(?<=')[A-Z][A-Z0-9_]+(?=')/g) ?? []))
  return Object.keys(errors).filter((code): code is ErrorCode => words.has(code))
}

test('default: every error that can leave the server has an HTTP status', () => {
  const codes = namedCodes()
  expect(codes).toContain('ORIGIN_NOT_ALLOWED')
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.filter((code) => !(code in errorStatus))).toEqual([])
})

test('default: responses have the status of their failure, except JSON-RPC responses, which have their own', () => {
  const statuses = Object.entries(errorStatus).flatMap(([code, status]) =>
    getRpcCode(code as ErrorCode) === undefined ? [status] : [],
  )
  for (const status of statuses) expect(status >= 400 && status < 600).toBe(true)
})
