import { expect, test } from 'vitest'
import { isForeignAnswer } from './isForeignAnswer.ts'
import { isModuleLoss } from './isModuleLoss.ts'

test.each([
  [200, 'text/html; charset=utf-8', true],
  [200, 'text/plain', true],
  [200, '', true],
  [403, 'text/html', true],
  [511, 'text/html', true],
  [511, 'application/json', true],
  [200, 'application/json', false],
  [200, 'application/problem+json', false],
  [401, 'text/plain', false],
  [403, 'application/json', false],
  [404, 'text/html', false],
  [502, 'text/html', false],
])('default: an answer of status %i and type %j', (status, type, isForeign) => {
  const headers = new Headers(type ? { 'content-type': type } : {})
  expect(isForeignAnswer({ ok: status < 300, status, headers } as Response)).toBe(isForeign)
})

test.each([
  ['Failed to fetch dynamically imported module: https://app.example/a.js', true],
  ['error loading dynamically imported module: https://app.example/a.js', true],
  ['Importing a module script failed.', true],
  ["'text/html' is not a valid JavaScript MIME type.", true],
  ["Cannot read properties of undefined (reading 'a')", false],
])('behavior: a module that did not load: %s', (message, isLoss) => {
  expect(isModuleLoss(new TypeError(message))).toBe(isLoss)
})
