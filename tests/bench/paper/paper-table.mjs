// Table 3 of the paper (Fan et al. 2014): millions of items, bits per item, rate, millions of keys per second.
export const PAPER = {
  CF: [127.78, 12.6, 0.0019, 5],
  'ss-CF': [128.04, 12.58, 0.0009, 3.13],
  BF: [123.89, 13, 0.0019, 3.91],
  'blk-BF': [123.89, 13, 0.0043, 7.64],
  QF: [120.8, 13.33, 0.0018, 1.91],
  'dl-CBF': [103.82, 15.51, 0.0076, 4.78],
};
