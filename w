(;FF[4]AB[bd][db]AP[tesuji:]CA[UTF-8]GM[1]KM[0.5]PL[W]RU[Chinese]SZ[5];W[eb];
B[dc];W[ad];B[ab];W[dd];PL[W];W[cc];B[ea])
