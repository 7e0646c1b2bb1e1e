import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findAnvil, type Machine } from './findAnvil.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-anvil-'))
const program = join(folder, 'anvil')
writeFileSync(program, '#!/bin/sh\n')
chmodSync(program, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

/** A machine like CI's, without anvil in the PATH. */
const machine = (own: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  arch: 'x64',
  glibc: '2.36',
  env: { PATH: '/nowhere' },
  resolve: () => undefined,
  ...own,
})

test('default: the build that npm has installed', () => {
  const asked: string[] = []
  const resolve = (file: string) => {
    asked.push(file)
    return program
  }
  expect(findAnvil(machine({ resolve }))).toBe(program)
  expect(asked).toEqual(['@foundry-rs/anvil-linux-amd64/bin/anvil'])
})

test('param: ANVIL_BIN wins, and has to be a program', () => {
  expect(findAnvil(machine({ platform: 'darwin', env: { ANVIL_BIN: program } }))).toBe(program)
  expect(() => findAnvil(machine({ env: { ANVIL_BIN: '/nowhere/anvil' } }))).toThrow(
    'ANVIL_BIN=/nowhere/anvil is not a program that can be run',
  )
})

test('behavior: a platform without a build takes anvil from the PATH', () => {
  const env = { PATH: `/nowhere:${folder}` }
  expect(findAnvil(machine({ platform: 'darwin', arch: 'arm64', env }))).toBe(program)
})

test('behavior: the build from npm is not used if glibc is too old or missing', () => {
  const env = { PATH: folder }
  const resolve = () => '/opt/anvil'
  for (const glibc of ['2.34', '2.31', undefined])
    expect(findAnvil(machine({ glibc, env, resolve }))).toBe(program)
})

test('error: the message contains what to install', () => {
  const saying = (own: Partial<Machine>) => {
    try {
      return findAnvil(machine(own))
    } catch (error) {
      return (error as Error).message
    }
  }
  expect([
    saying({ platform: 'darwin', arch: 'arm64', glibc: undefined }),
    saying({ platform: 'win32' }),
    saying({ glibc: '2.31', resolve: () => program }),
    saying({ glibc: undefined }),
  ]).toMatchInlineSnapshot(`
    [
      "anvil, the program that runs the local chains, is missing: npm has no build of it for darwin arm64 in package-lock.json. Install Foundry: curl -L https://foundry.paradigm.xyz | bash, then foundryup. Then start again; anvil is found in the PATH, or where ANVIL_BIN says.",
      "anvil, the program that runs the local chains, is missing: npm has no build of it for win32 x64 in package-lock.json. Run Latchkey in WSL (https://learn.microsoft.com/windows/wsl/install), where npm has a build of anvil.",
      "anvil, the program that runs the local chains, is missing: the build from npm needs glibc 2.35 or newer, and this machine has glibc 2.31. Build it with Rust (https://rustup.rs): cargo install --git https://github.com/foundry-rs/foundry --locked anvil. Then start again; anvil is found in the PATH, or where ANVIL_BIN says.",
      "anvil, the program that runs the local chains, is missing: the build from npm needs glibc 2.35 or newer, and this machine has another C library. Build it with Rust (https://rustup.rs): cargo install --git https://github.com/foundry-rs/foundry --locked anvil. Then start again; anvil is found in the PATH, or where ANVIL_BIN says.",
    ]
  `)
})
