import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { installCommand } from './installCommand.ts'

test('default: the paths stay absolute', () => {
  expect(installCommand(['/home/ada/a-1.0.0.tgz', '/home/ada/b-1.0.0.tgz'])).toBe(
    'npm install /home/ada/a-1.0.0.tgz /home/ada/b-1.0.0.tgz',
  )
})

test('behavior: a shell reads each path as one argument', () => {
  const paths = ["/home/Ada's apps/a.tgz", '/home/$HOME/b (1).tgz']
  const command = installCommand(paths).replace('npm install', "printf '%s\\n'")
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim().split('\n')).toEqual(
    paths,
  )
})
