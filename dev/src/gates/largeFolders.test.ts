import { expect, test } from 'vitest'
import { largeFolderFindings } from './largeFolders.ts'

const makePaths = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/file${index}.ts`)

test('error: a folder with more than 25 files', () => {
  expect(largeFolderFindings(makePaths('apps/web/src/pages', 26))).toEqual([
    'apps/web/src/pages: 26 files: move related files into a subfolder',
  ])
})

test('default: 25 files, and others in folders below', () => {
  const paths = [...makePaths('apps/web/src', 25), ...makePaths('apps/web/src/pages', 25)]
  expect(largeFolderFindings(paths)).toEqual([])
})
