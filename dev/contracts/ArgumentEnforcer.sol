// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A caveat of the delegation framework: an argument of a call must equal a word, or be greater or
/// less than it (unsigned). `terms`: the argument's index (1 byte), the operator (1 byte: 0 equal,
/// 1 greater, 2 less), the word (32 bytes).
contract ArgumentEnforcer {
    uint256 private constant HEAD = 52;

    function beforeHook(bytes calldata terms, bytes calldata, bytes32 mode, bytes calldata execution, bytes32, address, address)
        external
        pure
    {
        require(mode == bytes32(0) && terms.length == 34, "ArgumentEnforcer: terms");
        uint256 start = HEAD + 4 + 32 * uint256(uint8(terms[0]));
        require(execution.length >= start + 32, "ArgumentEnforcer: no argument");
        uint256 given = uint256(bytes32(execution[start:start + 32]));
        uint256 wanted = uint256(bytes32(terms[2:]));
        uint8 operator = uint8(terms[1]);
        bool isAllowed = operator == 0 ? given == wanted : operator == 1 ? given > wanted : operator == 2 && given < wanted;
        require(isAllowed, "ArgumentEnforcer: argument");
    }

    function beforeAllHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address) external {}

    function afterHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address) external {}

    function afterAllHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address) external {}
}
