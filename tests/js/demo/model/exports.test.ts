// What the page writes into files, without a browser.
import { expect, test } from '@jest/globals';
import { tableCsv } from '../../../../demo/src/browser/exports';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
  ['a=b-c', 'a=b-c'],
  ['', ''],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['\t=1', "'\t=1"],
  ['\n=1', '"\'\n=1"'],
  [-1, '-1'],
  [1e-7, '1e-7'],
])('a field of %j is %j, which no spreadsheet takes for a formula', (value, field) => {
  expect(tableCsv(['heading'], [[value]])).toBe(`heading\n${field}\n`);
});
