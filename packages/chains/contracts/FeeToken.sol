// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Token} from "./Token.sol";

/// A token that keeps one percent of every transfer: what arrives is less than what was sent.
contract FeeToken is Token {
    constructor(string memory name_, string memory symbol_) Token(name_, symbol_) {}

    function cut() public pure override returns (uint256) {
        return 100;
    }
}
