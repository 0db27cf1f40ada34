// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Token} from "./Token.sol";

/// A fee-on-transfer token: keeps one percent of every transfer.
contract FeeToken is Token {
    constructor(string memory name_, string memory symbol_) Token(name_, symbol_) {}

    function feeRate() public pure override returns (uint256) {
        return 100;
    }
}
